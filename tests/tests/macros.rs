//! What the macros make runs as it is written.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, Message, RunAgentInput, UserMessage};
use agui_runtime::{CustomEvent, State, testing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a shop charges, in cents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Euro {
    cents: u32,
}

#[derive(Debug, thiserror::Error)]
#[error("we have no {0}")]
struct ShopError(String);

struct Shop {
    cents: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Recipe {
    title: String,
    steps: Vec<String>,
}

/// Something is in the pan.
#[derive(CustomEvent, Serialize, JsonSchema)]
struct Sizzle {
    loud: bool,
}

/// Looks up what an ingredient costs.
///
/// Prices are today's.
#[tool]
async fn price(
    shop: &Shop,
    /// ingredient name, singular
    name: String,
    #[serde(default)] kilos: Option<u32>,
) -> Result<Euro, ShopError> {
    match name.as_str() {
        "truffle" => Err(ShopError(name)),
        _ => Ok(Euro { cents: shop.cents * kilos.unwrap_or(1) }),
    }
}

/// Asks the person to confirm before anything is ordered.
#[tool(frontend)]
async fn confirm_order(total: Euro) -> bool;

/// Cooks with you.
#[agent(state = Recipe, tools = [price, confirm_order], events = [Sizzle])]
async fn chef(run: &mut Run<Chef>, input: Input<Chef>, shop: &Shop) -> Result<u32, Stop> {
    let recipe = run.state().adopt_or_snapshot(&input).await?;
    if let Some(confirmed) = input.answer::<confirm_order>()? {
        run.say(if confirmed { "Ordered." } else { "Then not." }).await;
        return Ok(0);
    }
    recipe.update(|recipe| recipe.title = "Risotto".into()).await?;
    run.custom(Sizzle { loud: true }).await?;
    let rice = run.call(price { name: "rice".into(), kilos: Some(2) }).await?.run().await?;
    if input.user_text().as_deref() == Some("order") {
        let call = run.call(confirm_order { total: rice }).await?;
        return Err(Stop::await_frontend([call]));
    }
    Ok(rice.cents + shop.cents)
}

fn asked(text: &str) -> RunAgentInput {
    RunAgentInput::new("thread", "run", vec![Message::User(UserMessage::new("m1", text))])
        .with_protocol_version("1.0")
}

fn wire(events: &[Event]) -> Vec<serde_json::Value> {
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

#[tokio::test]
async fn a_function_is_an_agent() {
    let events = wire(&testing::run(Chef::new(Shop { cents: 150 }), asked("cook")).await);
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "RUN_STARTED",
            "STATE_SNAPSHOT",
            "STATE_SNAPSHOT",
            "CUSTOM",
            "TOOL_CALL_START",
            "TOOL_CALL_ARGS",
            "TOOL_CALL_END",
            "TOOL_CALL_RESULT",
            "RUN_FINISHED"
        ]
    );
    assert_eq!(events[7]["content"], r#"{"cents":300}"#, "the shop was lent, the argument passed");
    assert_eq!(events[8]["result"], 450);
}
