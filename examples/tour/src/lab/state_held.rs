//! `/lab/state_held`: a run that changes the state that the client holds already.
//!
//! A client of 1.0 receives the changes only. A legacy client gets a STATE_SNAPSHOT of its state before the first of
//! them, which the runtime adds.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{JsonPointer, PatchOperation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The state on the client.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Stock {
    count: i64,
    items: Vec<StockItem>,
}

/// One item of it.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct StockItem {
    name: String,
    amount: i64,
}

/// Increments the number that the client holds.
#[agent(state = Stock)]
pub async fn stock(run: &mut Run<StockKeeper>, input: Input<StockKeeper>) -> Result<(), Stop> {
    let held =
        run.state().adopt(&input)?.filter(|held| held.read(|stock| !stock.items.is_empty()).unwrap_or(false));
    let stock = match held {
        Some(held) => held,
        None => {
            let first = StockItem { name: "a".to_owned(), amount: 0 };
            run.state().snapshot(&Stock { count: 0, items: vec![first] }).await? // STATE_SNAPSHOT
        }
    };
    let (count, amount) =
        stock.read(|stock| (stock.count, stock.items.first().map_or(0, |item| item.amount)))?;

    // Handwritten operations: for a state as small as this, an `update` may send the whole.
    let at = |path: &str| path.parse::<JsonPointer>();
    stock.patch([PatchOperation::replace(at("/items/0/amount")?, amount.saturating_add(1))]).await?; // STATE_DELTA
    stock.patch([PatchOperation::add(at("/items/0")?, json!({ "name": "b", "amount": amount }))]).await?;
    stock.patch([PatchOperation::replace(at("/count")?, count.saturating_add(1))]).await?;
    run.say("Counted.").await;
    Ok(())
}
