//! The state of an agent whose tools change it: the client gets it whole once.

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::state::StateError;
use agui_runtime::testing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const CALLS: u32 = 20;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Basket {
    count: u32,
    /// Long enough that a delta is shorter than the whole.
    note: String,
}

/// Puts things into the basket.
#[tool]
async fn put(basket: &StateHandle<Basket>, total: u32) -> Result<u32, StateError> {
    basket.update(|basket| basket.count = total).await?;
    basket.read(|basket| basket.count)
}

/// Fills baskets.
#[agent(state = Basket, tools = [put])]
async fn grocer(run: &mut Run<Grocer>, _: Input<Grocer>, model: &Model) -> Result<(), Stop> {
    run.state().snapshot(&Basket { count: 0, note: "x".repeat(600) }).await?;
    run.chat(model).max_turns(CALLS + 1).await
}

#[test]
fn calls_that_change_the_state_send_one_snapshot_and_deltas() {
    let calls = (1..=CALLS).map(|total| Reply::call("put", put { total }));
    let script = ScriptedModel::new(calls.chain([Reply::text("Full.")]).collect::<Vec<_>>());
    let grocer = Grocer::new(script.into());
    let events = futures::executor::block_on(testing::run(grocer, testing::input("Fill it.")));
    let whole = events.iter().filter(|event| matches!(event, Event::StateSnapshot(_))).count();
    let deltas: Vec<Value> = events
        .iter()
        .filter(|event| matches!(event, Event::StateDelta(_)))
        .map(|event| serde_json::to_value(event).unwrap()["delta"].clone())
        .collect();
    assert_eq!(whole, 1, "{}", testing::lines(&events));
    assert_eq!(deltas.len(), CALLS as usize);
    assert_eq!(deltas[19], json!([{ "op": "add", "path": "/count", "value": CALLS }]));
}
