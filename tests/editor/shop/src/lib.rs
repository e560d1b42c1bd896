//! A shop that an agent keeps: each kind of item that the macros of `agui-runtime` expand.

mod stock;

use std::sync::Arc;

use agui_runtime::prelude::*;
use agui_runtime::state::StateError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stock::count;

/// The list of a customer.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Basket {
    /// The items in it.
    pub items: Vec<Item>,
}

/// Something to buy.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Item {
    /// Its name in the shop.
    pub name: String,
    pub cents: u32,
}

/// Prices of the day.
pub struct Prices {
    pub rice: u32,
}

/// Looks up what something costs.
#[tool]
pub async fn price(prices: &Prices, wanted: Item) -> u32 {
    // in the tool
    if wanted.name == "rice" { prices.rice } else { wanted.cents }
}

/// Puts something into the basket.
#[tool]
pub async fn add(basket: &StateHandle<Basket>, item: Item) -> Result<(), StateError> {
    // in the tool with the state
    basket.update(|basket| basket.items.push(item)).await
}

/// Refunds an order.
#[tool(approval = refund_needs_approval)]
pub async fn refund(cents: u32) -> bool {
    cents > 0
}

fn refund_needs_approval(refund: &refund) -> bool {
    refund.cents > 1000
}

/// Asks the customer if that is all.
#[tool(frontend)]
pub async fn confirm(total: u32) -> bool;

/// Packs what was bought.
#[agent]
pub async fn packer(run: &mut Run<Packer>, _: Input<Packer>) -> Result<(), Stop> {
    run.say("Packed.").await;
    Ok(())
}

/// Sells things.
#[agent(state = Basket, tools = [price, add, refund, confirm, count, stock::weigh, Packer])]
pub async fn clerk(
    run: &mut Run<Clerk>,
    input: Input<Clerk>,
    prices: &Prices,
    packer: &Arc<Packer>,
) -> Result<(), Stop> {
    let basket = run.state().adopt_or_snapshot(&input).await?;
    // in the agent
    let rice = Item { name: "rice".to_owned(), cents: 0 };
    let cents = run.call(price { wanted: rice }).await?.run().await;
    basket.update(|basket| basket.items.push(Item { name: "rice".to_owned(), cents })).await?;
    Ok(())
}

/// Opens the shop.
pub fn open() -> Clerk {
    Clerk::new(Prices { rice: 180 }, Arc::new(Packer::new()))
}

/// Calls the function of a tool, as a test does.
pub async fn price_of(item: Item) -> u32 {
    price(&Prices { rice: 180 }, item).await
}
