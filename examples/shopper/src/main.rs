use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shopping list, shared with the page.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct List {
    items: Vec<String>,
    total: u32,
}

/// Looks up what something costs today, in cents.
#[tool]
async fn price(name: String) -> Option<u32> {
    [("rice", 180), ("saffron", 950)].into_iter().find(|(known, _)| *known == name).map(|(_, cents)| cents)
}

/// Asks the user if that is all.
#[tool(frontend)]
async fn checkout(total: u32) -> bool;

/// Keeps a shopping list with you.
#[agent(state = List, tools = [price, checkout])]
async fn shopper(run: &mut Run<Shopper>, input: Input<Shopper>) -> Result<(), Stop> {
    let list = run.state().adopt_or_snapshot(&input).await?; // STATE_SNAPSHOT, if the page has none
    let Some(name) = input.user_text() else { return Ok(()) }; // the page called again, with the answer of `checkout`
    let mut text = run.message().await; // TEXT_MESSAGE_START
    text.push(format!("One {name}, coming up.")).await; // TEXT_MESSAGE_CONTENT
    text.end(); // TEXT_MESSAGE_END
    let cents = run.call(price { name: name.clone() }).await?.run().await; // TOOL_CALL_START … RESULT
    list.update(|list| (list.items.push(name), list.total += cents.unwrap_or(0))).await?; // STATE_DELTA, or _SNAPSHOT
    let ask = run.call(checkout { total: list.read(|list| list.total)? }).await?; // TOOL_CALL_START … END
    Err(Stop::await_frontend([ask])) // RUN_FINISHED, with the call pending
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    agui_runtime::serve(Shopper::new()).await
}
