//! `/lab/backend_tool`: a tool that runs in the agent.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// The weather outside.
#[derive(Serialize, JsonSchema)]
pub struct Sky {
    temperature: i32,
    conditions: &'static str,
}

/// Looks up the weather of a place.
#[tool(name = "get_weather")]
pub async fn look_up_weather(
    /// The name of a city.
    location: String,
) -> Sky {
    let conditions = if location == "Lisbon" { "sunny" } else { "unknown" };
    Sky { temperature: 21, conditions }
}

/// Looks up the weather, and reports it.
#[agent(tools = [look_up_weather])]
pub async fn backend_tool(run: &mut Run<BackendTool>, _: Input<BackendTool>) -> Result<(), Stop> {
    let call = run.call(look_up_weather { location: "Lisbon".to_owned() }).await?; // TOOL_CALL_START, ARGS, END
    let weather = call.run().await; // TOOL_CALL_RESULT
    run.say(format!("It is {} in Lisbon.", weather.conditions)).await;
    Ok(())
}
