//! Takes the run mutably.
//!
//! error: a tool has no run of its own, because it runs beside other tools: take `&Emit` to write events, `&TypedEmit<Sizzle>` to send custom events, `&TypedEmit<(), Plan>` to show activities, `&StateHandle<S>` to change the state, or the agent itself for its values, `&Chef`
//! write: take `&Emit` to write events, `&TypedEmit<Sizzle>` to send custom events, `&TypedEmit<(), Plan>` to show activities, `&StateHandle<S>` to change the state, or the agent itself for its values, `&Chef`

use crate::kit::*;

/// Stirs.
#[tool]
async fn stir(run: &mut Run<Chef>, times: u32) {
    run.say("Stirred.").await;
}
