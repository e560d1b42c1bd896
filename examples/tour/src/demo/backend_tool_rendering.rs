//! `/backend_tool_rendering`: a call and its result, for the page to draw.

use agui_runtime::prelude::*;
use serde_json::json;

use crate::past::answered_call;

/// Has looked up the weather.
#[agent]
pub async fn backend_tool_rendering(
    run: &mut Run<BackendToolRendering>,
    input: Input<BackendToolRendering>,
) -> Result<(), Stop> {
    if input.answer_text().is_some() {
        run.say("Retrieved weather information!").await;
        return Ok(());
    }
    let weather = json!({
        "city": "San Francisco",
        "conditions": "sunny",
        "temperature": 21,
        "humidity": 60,
        "wind_speed": 10,
    });
    let arguments = r#"{"city":"San Francisco"}"#;
    let mut history = input.messages.clone();
    history.extend(answered_call(&input, None, "get_weather", arguments, &weather.to_string()));
    run.messages_snapshot(history).await;
    Ok(())
}
