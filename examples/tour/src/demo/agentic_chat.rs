//! `/agentic_chat`: conversation, and tools on both sides.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::pace::Pace;
use crate::past::answered_call;

/// Changes the background of the chat.
#[tool(frontend)]
pub async fn change_background(
    /// Any CSS background.
    background: String,
) -> String;

#[derive(Serialize, JsonSchema)]
pub struct Temperature {
    city: String,
    temperature: i32,
}

/// Looks up how warm it is in a city.
#[tool]
pub async fn lookup_weather(city: String) -> Temperature {
    Temperature { city, temperature: 21 }
}

/// Counts down, changes the background, or looks up the weather, on request.
#[agent(tools = [change_background, lookup_weather])]
pub async fn agentic_chat(
    run: &mut Run<AgenticChat>,
    input: Input<AgenticChat>,
    pace: &Pace,
) -> Result<(), Stop> {
    if input.tool_result_text().is_some() {
        run.say("background changed ✓").await;
        return Ok(());
    }
    match input.user_text().as_deref() {
        Some("tool") => {
            let background = "linear-gradient(135deg, #667eea 0%, #764ba2 100%)".to_owned();
            Err(Stop::await_frontend(run.call(change_background { background }).await?))
        }
        Some("backend_tool") => {
            let asked = lookup_weather { city: "Lisbon".to_owned() };
            let weather = lookup_weather(asked.city.clone()).await;
            let mut history = input.messages.clone();
            history.extend(answered_call(&input, None, &asked, &serde_json::to_string(&weather)?)?);
            run.messages_snapshot(history).await;
            Ok(())
        }
        _ => {
            count_down(run, *pace).await;
            Ok(())
        }
    }
}

async fn count_down(run: &Emit, pace: Pace) {
    let mut message = run.message().await;
    message.push("counting down: ").await;
    for number in (1..=10).rev() {
        pace.pause(0.3).await;
        message.push(format!("{number}  ")).await;
    }
    pace.pause(0.3).await;
    message.push("✓").await;
}
