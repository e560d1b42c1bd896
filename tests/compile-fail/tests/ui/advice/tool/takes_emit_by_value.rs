//! Takes emit by value.
//!
//! error: a parameter by value is filled in by the model, and this one is lent by the run: write `&Emit`
//! write: write `&Emit`

use crate::kit::*;

/// Stirs.
#[tool]
async fn stir(emit: Emit, times: u32) {
    emit.say("Stirred.").await;
}
