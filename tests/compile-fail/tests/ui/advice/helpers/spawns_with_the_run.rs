//! Spawns with the run.
//!
//! error: borrowed data escapes outside of function

use crate::kit::*;

async fn mistake(run: &Emit) {
    tokio::spawn(async move {
        run.say("Still here.").await;
    });
}
