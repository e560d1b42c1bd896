//! `/lab/state`: shared state, changed by operations from elsewhere.
//!
//! An agent's own changes need no operations: see `demo/agentic_generative_ui.rs`.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{JsonPointer, PatchOperation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state on the client.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Board {
    count: i64,
    items: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(default, rename = "moved/note", skip_serializing_if = "Option::is_none")]
    moved: Option<String>,
}

/// Increments a number, then edits a list.
#[agent(state = Board)]
pub async fn board(run: &mut Run<BoardKeeper>, input: Input<BoardKeeper>) -> Result<(), Stop> {
    // The client may hold any state; this agent needs a number of it.
    let held = input.state.as_deref().and_then(|held| held.get("count"));
    let count = held.and_then(|held| held.as_i64().or_else(|| whole(held.as_f64()?))).unwrap_or_default();
    let fresh = Board { count, note: Some("fresh".to_owned()), ..Board::default() };
    let board = run.state().snapshot(&fresh).await?; // STATE_SNAPSHOT

    let at = |path: &str| path.parse::<JsonPointer>();
    board.patch([PatchOperation::replace(at("/count")?, count.saturating_add(1))]).await?; // STATE_DELTA
    board
        .patch([
            PatchOperation::add(at("/items/-")?, "a"),
            PatchOperation::add(at("/items/-")?, "c"),
            PatchOperation::add(at("/items/1")?, "b"),
        ])
        .await?;
    board
        .patch([
            PatchOperation::test(at("/items/1")?, "b"),
            PatchOperation::copy(at("/items/0")?, at("/first")?),
            PatchOperation::move_(at("/note")?, at("/moved~1note")?),
            PatchOperation::remove(at("/items/2")?),
        ])
        .await?;
    Ok(())
}

/// A number that JavaScript writes as `7` is `7.0` elsewhere.
fn whole(number: f64) -> Option<i64> {
    let whole = number as i64;
    (whole as f64 == number).then_some(whole)
}
