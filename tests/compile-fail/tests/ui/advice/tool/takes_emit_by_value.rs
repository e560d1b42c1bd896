//! Takes emit by value.
//!
//! error: a parameter by value comes from the model, and this one comes from the run: write `&Emit`
//! write: write `&Emit`

use crate::kit::*;

/// Stirs.
#[tool]
async fn stir(emit: Emit, times: u32) {
    emit.say("Stirred.").await;
}
