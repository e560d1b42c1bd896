//! `/lab/echo_input`: what of an input reaches the agent.

use agui_runtime::prelude::*;
use agui_runtime::protocol::Message;
use serde_json::{Value, json};

/// Says what it was sent.
#[agent]
pub async fn echo_input(run: &mut Run<EchoInput>, input: Input<EchoInput>) -> Result<(), Stop> {
    let messages: Vec<Value> = input.messages.iter().map(role_and_content).collect::<Result<_, _>>()?;
    let echo = json!({
        "threadId": input.thread_id,
        "runId": input.run_id,
        "parentRunId": input.parent_run_id,
        "state": input.state.as_deref().cloned().unwrap_or_else(|| json!({})),
        "tools": input.tools(),
        "context": input.context(),
        "forwardedProps": input.forwarded_props,
        "messages": messages,
    });
    run.say(echo.to_string()).await;
    Ok(())
}

fn role_and_content(message: &Message) -> Result<Value, serde_json::Error> {
    let mut sent = serde_json::to_value(message)?;
    let content = sent.get_mut("content").map_or(Value::Null, Value::take);
    Ok(json!({ "role": message.role(), "content": content }))
}
