//! Message that is not awaited.
//!
//! error: unused `WriteFuture` that must be used
//! write: nothing is sent until it is awaited

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) {
    run.say("hi");
}
