//! The agents as the inspector lists them: a heading, a sentence, and the input with which the button runs each.

use agui_inspector::{Agent, Agents, Mounted};
use axum::Router;
use serde_json::{Value, json};

/// The path of each agent, the message of its button, and a sentence about it.
const DEMOS: &[(&str, &str, &str)] = &[
    ("/", "Hello!", "The smallest agent: one message."),
    ("/agentic_chat", "tool", "Tools on both sides: say tool, backend_tool, or anything else."),
    (
        "/agentic_generative_ui",
        "Plan my day",
        "Shared state that changes once a second while the agent works.",
    ),
    ("/backend_tool_rendering", "What is the weather?", "A call and its result, for a page to render."),
    (
        "/human_in_the_loop",
        "Plan a trip to Mars",
        "Ten steps, written piece by piece, that the user reviews.",
    ),
    ("/predictive_state_updates", "Write a story", "A document that the page shows while it is written."),
    ("/shared_state", "A salad, please", "A document that the agent and the page both write."),
    ("/tool_based_generative_ui", "A haiku about AI", "A call whose arguments the page shows."),
    ("/agentic_chat_reasoning", "What is the best car to buy?", "A model that thinks before it answers."),
    ("/agentic_chat_multimodal", "What do you see?", "A model that gets pictures and documents."),
    (
        "/interrupt",
        "Book a call with Ada to discuss prices.",
        "A tool that stops, asks for a time, and goes on.",
    ),
    ("/subgraphs", "Plan a trip to San Francisco", "A supervisor and three specialists, who ask the user."),
    (
        "/background_agents",
        "Research the Solana ecosystem",
        "A task beside the conversation, as an activity.",
    ),
    ("/error_flow", "trigger error", "A run that fails behind the agent."),
    (
        "/a2ui_fixed_schema",
        "Find flights from SFO to JFK",
        "A2UI: the layout is the agent's, a tool brings the data.",
    ),
    ("/a2ui_dynamic_schema", "Compare 3 hotels", "A2UI: a model writes the layout, a tool checks it."),
    ("/a2ui_advanced", "A team directory with 4 people", "A2UI: a surface that grows while it is written."),
    ("/a2ui_recovery", "Compare 3 luxury hotels", "A2UI: an invalid layout is written again."),
];

/// The same for the agents that show one part of the protocol each.
const LAB: &[(&str, &str, &str)] = &[
    ("/lab/text", "Hello!", "A message in pieces."),
    ("/lab/text_chunks", "Hello!", "Chunks, which a client expands to messages and calls."),
    ("/lab/unicode", "Hello!", "Characters that break careless readers."),
    ("/lab/parallel", "Hello!", "Two messages, then two calls, at the same time."),
    ("/lab/metadata", "Hello!", "Names, metadata, a timestamp and a raw event."),
    ("/lab/reasoning", "What is the answer?", "Reasoning, an encrypted value, and the answer."),
    ("/lab/steps", "Hello!", "Steps around messages."),
    ("/lab/subagent", "Look it up", "An agent that delegates, to one that delegates."),
    ("/lab/tool", "Ask me", "A call of the first tool that the page offers."),
    ("/lab/backend_tool", "What is the weather?", "A call, its result, a sentence."),
    ("/lab/tool_result_parts", "Draw a dot", "A result with text and an image."),
    ("/lab/result", "Score me", "A result of the run, its usage, and a call left to the page."),
    ("/lab/state", "Hello!", "A snapshot, and every operation of JSON Patch."),
    ("/lab/state_held", "Count", "Changes of a state that the page holds already."),
    ("/lab/activity", "Plan", "A plan beside the conversation, which changes."),
    ("/lab/a2ui", "Show a hotel", "A2UI: a surface from Rust types, and functions in both directions."),
    ("/lab/messages_snapshot", "tour", "The conversation, restated by the agent."),
    ("/lab/custom_raw", "Hello!", "Events of the agent's own, and of its provider."),
    ("/lab/interrupt", "Send it", "A call that waits for your consent."),
    ("/lab/interrupts_two", "Go on", "Two questions at once."),
    #[cfg(feature = "mcp")]
    ("/lab/mcp", "Open the door", "An MCP server that reports, asks, and changes its tools."),
    #[cfg(feature = "mcp")]
    ("/lab/mcp_library", "Review Dune", "Resources and prompts of an MCP server, for the model."),
    #[cfg(feature = "mcp")]
    ("/lab/mcp_token", "What have I borrowed?", "An MCP server behind a token, which is refreshed."),
    ("/lab/cancelled", "Hello!", "A run that was cancelled."),
    ("/lab/error", "Hello!", "A run that fails in the middle of a message."),
    ("/lab/slow", "Hello!", "A hundred pieces, slowly: stop it."),
    ("/lab/echo_input", "Hello!", "The input, as the agent understood it."),
];

/// The agents of the router.
pub fn inspected(router: &Router) -> Agents {
    let of = |group: &'static str| {
        move |&(path, message, about): &(&str, &str, &str)| {
            Agent::new(path, Mounted::new(router.clone(), path))
                .about(group, about)
                .input(input(path, message))
        }
    };
    Agents::new(DEMOS.iter().map(of("Demos")).chain(LAB.iter().map(of("Lab"))))
}

fn input(path: &str, message: &str) -> Value {
    let mut input = json!({ "messages": [{ "id": "1", "role": "user", "content": message }] });
    if let Value::Object(members) = &mut input {
        match path {
            "/lab/tool" => drop(members.insert("tools".to_owned(), json!([choose()]))),
            "/lab/state_held" => {
                let state = json!({ "count": 3, "items": [{ "name": "a", "amount": 3 }] });
                members.insert("state".to_owned(), state);
            }
            "/lab/echo_input" => {
                let context = json!([{ "description": "The page", "value": "inspector" }]);
                members.insert("context".to_owned(), context);
                members.insert("tools".to_owned(), json!([choose()]));
                members.insert("forwardedProps".to_owned(), json!({ "theme": "calm" }));
            }
            _ => {}
        }
    }
    input
}

/// A tool of the page.
fn choose() -> Value {
    json!({
        "name": "choose",
        "description": "Lets the user choose one of the options.",
        "parameters": {
            "type": "object",
            "properties": { "question": { "type": "string" }, "options": { "type": "array", "items": { "type": "string" } } },
            "required": ["question", "options"],
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_agent_of_the_server_is_listed() {
        let mounted = include_str!("main.rs").split(".agent(\"").skip(1);
        let mounted: BTreeSet<_> = mounted.filter_map(|rest| rest.split('"').next()).collect();
        let listed: BTreeSet<_> = DEMOS.iter().chain(LAB).map(|(path, ..)| *path).collect();
        assert!(mounted.len() > 30, "{mounted:?}");
        assert_eq!(listed, mounted);
    }

    #[test]
    fn the_input_of_each_button_is_one() {
        for (path, message, _) in DEMOS.iter().chain(LAB) {
            let mut input = input(path, message);
            for (id, value) in [("threadId", "t"), ("runId", "r")] {
                input.as_object_mut().map(|members| members.insert(id.to_owned(), value.into()));
            }
            let read = serde_json::from_value::<agui_runtime::protocol::RunAgentInput>(input);
            assert!(read.is_ok(), "{path}: {read:?}");
        }
    }
}
