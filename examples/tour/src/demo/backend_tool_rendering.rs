//! `/backend_tool_rendering`: a call and its result, for the page to render.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::past::answered_call;

#[derive(Serialize, JsonSchema)]
pub struct Weather {
    city: String,
    conditions: String,
    temperature: i32,
    humidity: u32,
    wind_speed: u32,
}

/// Looks up the weather in a city.
#[tool]
pub async fn get_weather(city: String) -> Weather {
    Weather { city, conditions: "sunny".to_owned(), temperature: 21, humidity: 60, wind_speed: 10 }
}

/// Has looked up the weather.
#[agent(tools = [get_weather])]
pub async fn backend_tool_rendering(
    run: &mut Run<BackendToolRendering>,
    input: Input<BackendToolRendering>,
) -> Result<(), Stop> {
    if input.tool_result_text().is_some() {
        run.say("Retrieved weather information!").await;
        return Ok(());
    }
    let asked = get_weather { city: "San Francisco".to_owned() };
    let weather = get_weather(asked.city.clone()).await;
    let mut history = input.messages.clone();
    history.extend(answered_call(&input, None, &asked, &serde_json::to_string(&weather)?)?);
    run.messages_snapshot(history).await;
    Ok(())
}
