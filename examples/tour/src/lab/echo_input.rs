//! `/lab/echo_input`: the parts of an input that reach the agent.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    Content, Context, JsonObject, LazyJson, Message, NonNull, Role, RunAgentInput, RunId, ThreadId, Tool,
};
use serde::Serialize;
use serde_json::Map;

/// Repeats its input.
#[agent]
pub async fn echo_input(run: &mut Run<EchoInput>, input: Input<EchoInput>) -> Result<(), Stop> {
    let echo = serde_json::to_string(&Echo::of(&input))?;
    run.say(echo).await;
    Ok(())
}

/// The input by reference: a copy as a tree of values would take many times the memory of its text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Echo<'i> {
    thread_id: &'i ThreadId,
    run_id: &'i RunId,
    parent_run_id: &'i Option<RunId>,
    state: SharedState<'i>,
    tools: &'i [Tool],
    context: &'i [Context],
    forwarded_props: &'i Option<NonNull>,
    messages: Vec<RoleAndContent<'i>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SharedState<'i> {
    Sent(&'i NonNull),
    Absent(JsonObject),
}

#[derive(Serialize)]
struct RoleAndContent<'i> {
    role: Role,
    content: Body<'i>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Body<'i> {
    Text(&'i str),
    Parts(&'i Content),
    Activity(&'i LazyJson<JsonObject>),
    Absent,
}

impl<'i> Echo<'i> {
    fn of(input: &'i RunAgentInput) -> Self {
        Self {
            thread_id: &input.thread_id,
            run_id: &input.run_id,
            parent_run_id: &input.parent_run_id,
            state: input.state.as_ref().map_or_else(|| SharedState::Absent(Map::new()), SharedState::Sent),
            tools: input.tools(),
            context: input.context(),
            forwarded_props: &input.forwarded_props,
            messages: input.messages.iter().map(role_and_content).collect(),
        }
    }
}

fn role_and_content(message: &Message) -> RoleAndContent<'_> {
    let content = match message {
        Message::Developer(message) => Body::Text(&message.content),
        Message::System(message) => Body::Text(&message.content),
        Message::Assistant(message) => message.content.as_deref().map_or(Body::Absent, Body::Text),
        Message::User(message) => Body::Parts(&message.content),
        Message::Tool(message) => Body::Parts(&message.content),
        Message::Activity(message) => Body::Activity(&message.content),
        Message::Reasoning(message) => Body::Text(&message.content),
    };
    RoleAndContent { role: message.role(), content }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn echoed(input: &Value) -> Value {
        let input: RunAgentInput = serde_json::from_value(input.clone()).unwrap();
        serde_json::to_value(Echo::of(&input)).unwrap()
    }

    #[test]
    fn each_kind_of_message_is_echoed_with_its_role_and_content() {
        let messages = json!([
            { "role": "developer", "content": "Be short." },
            { "role": "system", "content": "Be kind." },
            { "role": "user", "content": "Hello" },
            { "role": "user", "content": [{ "type": "text", "text": "Hello" }] },
            { "role": "assistant", "content": "Hi" },
            { "role": "assistant", "content": null },
            { "role": "tool", "content": "42" },
            { "role": "activity", "content": { "steps": [1] } },
            { "role": "reasoning", "content": "Hm." },
        ]);
        let mut sent = messages.clone();
        for message in sent.as_array_mut().unwrap() {
            message["id"] = json!("m");
            match message["role"].as_str() {
                Some("tool") => message["toolCallId"] = json!("c"),
                Some("activity") => message["activityType"] = json!("plan"),
                Some("assistant") if message["content"].is_null() => {
                    message.as_object_mut().unwrap().remove("content");
                }
                _ => {}
            }
        }
        let echo = echoed(&json!({ "threadId": "t", "runId": "r", "state": { "n": [1] }, "messages": sent }));
        let expected = json!({
            "threadId": "t", "runId": "r", "parentRunId": null, "state": { "n": [1] }, "tools": [],
            "context": [], "forwardedProps": null, "messages": messages,
        });
        assert_eq!(echo, expected);
        assert_eq!(echoed(&json!({ "threadId": "t", "runId": "r", "messages": [] }))["state"], json!({}));
    }
}
