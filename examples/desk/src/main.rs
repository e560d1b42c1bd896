mod page;
mod script;
mod shop;
use agui_runtime::{Server, model::Model, prelude::*};
use shop::{Order, Refused, Shop};

/// The order that the conversation is about, shared with the page.
#[derive(State, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Default)]
struct Case {
    order: Option<Order>,
}

/// Looks up an order by its number.
#[tool]
async fn order(shop: &Shop, case: &StateHandle<Case>, number: u32) -> Result<Order, Refused> {
    let order = shop.order(number)?;
    case.update(|case| case.order = Some(order.clone())).await?; // STATE_DELTA, or STATE_SNAPSHOT if shorter
    Ok(order)
}

/// Pays an order back to the customer.
#[tool(approval)] // asks the user, and runs when the answer has come
async fn refund(shop: &Shop, case: &StateHandle<Case>, number: u32, cents: u32) -> Result<Order, Refused> {
    let order = shop.refund(number, cents)?;
    case.update(|case| case.order = Some(order.clone())).await?;
    Ok(order)
}

/// Helps customers of a shop with their orders.
#[agent(state = Case, tools = [order, refund])]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, model: &Model, shop: &Shop) -> Result<(), Stop> {
    run.state().adopt_or_snapshot(&input).await?; // STATE_SNAPSHOT, if the page has none
    run.chat(model).instructions("You help customers of a shop. Be brief.").max_turns(8).await
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    let model = Model::from_env_or(script::model())?; // `AGUI_MODEL=openai:gpt-5-mini`, or the script
    page::beside(Server::new().agent("/", Desk::new(model, Shop::open())))?.serve().await
}
