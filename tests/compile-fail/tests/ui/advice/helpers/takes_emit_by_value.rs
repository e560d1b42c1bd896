//! Takes emit by value.
//!
//! error: mismatched types
//! write: expected `Emit`, found `&mut Run<Chef>`

use crate::kit::*;

async fn greet(run: Emit) {
    run.say("hi").await;
}

async fn mistake(run: &mut Run<Chef>) {
    greet(run).await;
}
