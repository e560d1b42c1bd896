//! `#[cfg(..)]` before items of an agent's lists: what is left out does not exist anywhere.

use agui_runtime::manifest::Manifest;
use agui_runtime::prelude::*;
use agui_runtime::testing::{self, RunEnd};
use std::sync::Arc;

use agui_runtime::ToolSet as _;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Looks up a price.
#[tool]
async fn price(name: String) -> u32 {
    u32::from(!name.is_empty())
}

/// Only in tests.
#[cfg(test)]
#[tool]
async fn debug() -> u32 {
    2
}

/// Only in releases of this test.
#[cfg(not(test))]
#[tool]
async fn absent() -> u32 {
    3
}

/// One of two.
#[cfg(all(test, not(miri)))]
#[tool(name = "system")]
async fn system_a() -> &'static str {
    "a"
}

/// Is sent.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "test.sent")]
struct Sent {
    much: bool,
}

/// Is asked.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "test.asked", response = bool)]
struct Asked {
    what: String,
}

/// Is shown.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "SHOWN")]
struct Shown {
    now: bool,
}

/// Helps.
#[agent]
async fn helper(run: &mut Run<Helper>, _: Input<Helper>) -> Result<(), Stop> {
    run.say("Here.").await;
    Ok(())
}

/// Sells.
#[agent(
    tools = [
        price,
        #[cfg(test)]
        debug,
        #[cfg(not(test))]
        absent,
        #[cfg(test)] #[cfg(not(miri))]
        system_a,
        #[cfg(miri)]
        system_b,
        #[cfg(test)]
        Helper,
    ],
    events = [#[cfg(test)] Sent, #[cfg(not(test))] AbsentEvent],
    interrupts = [#[cfg(not(test))] AbsentQuestion, #[cfg(test)] Asked],
    activities = [#[cfg(test)] Shown],
    handoffs = [#[cfg(not(test))] AbsentAgent],
)]
async fn seller(run: &mut Run<Seller>, _: Input<Seller>, _helper: &Arc<Helper>) -> Result<u32, Stop> {
    run.custom(Sent { much: true }).await?;
    drop(run.activity(Shown { now: true }).await?);
    let call = run.open_call("debug").await?;
    let found = match call.end()? {
        SellerReadyCall::price(call) => call.run().await,
        SellerReadyCall::debug(call) => call.run().await,
        #[cfg(not(test))]
        SellerReadyCall::absent(call) => call.run().await,
        SellerReadyCall::system_a(call) => call.run().await.len() as u32,
        SellerReadyCall::Helper(_) => 0,
    };
    Ok(found)
}

/// Sells, as a type.
struct Shop {
    cents: u32,
}

/// Sells, as a type.
#[agent(tools = [#[cfg(test)] debug, #[cfg(not(test))] absent])]
impl Shop {
    /// A price.
    #[tool]
    async fn own_price(&self) -> u32 {
        self.cents
    }

    async fn run(&self, run: &mut Run<Self>, _: Input<Self>) -> Result<u32, Stop> {
        Ok(run.call(debug {}).await?.run().await + run.call(own_price {}).await?.run().await)
    }
}

#[test]
fn items_that_are_left_out_do_not_exist() {
    assert_eq!(Seller::NAMES, ["price", "debug", "system", "helper"]);
    let source = Seller::source();
    let names: Vec<_> = source.tools.iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["price", "debug", "system", "helper"]);
    assert_eq!(source.events.iter().map(|event| event.name).collect::<Vec<_>>(), ["test.sent"]);
    assert_eq!(source.interrupts.len() + source.activities.len(), 2);
    let manifest = Manifest::build("shop", "0.1.0", &[Seller::source(), Shop::source()]).unwrap().to_json();
    assert!(!manifest.contains("absent") && manifest.contains("test.asked"), "{manifest}");
    let events = block_on(testing::run(Seller::new(Helper::new().into()), testing::input("Sell.")));
    assert!(
        matches!(testing::end(&events), RunEnd::Success { result: Some(result), .. } if *result == json!(2)),
        "{}",
        testing::lines(&events)
    );
}

#[test]
fn a_block_has_conditions_too() {
    assert_eq!(Shop::NAMES, ["debug", "own_price"]);
    let events = block_on(testing::run(Shop { cents: 5 }, testing::input("Sell.")));
    assert!(
        matches!(testing::end(&events), RunEnd::Success { result: Some(result), .. } if *result == json!(7)),
        "{}",
        testing::lines(&events)
    );
}
