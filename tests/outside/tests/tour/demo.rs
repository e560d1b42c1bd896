//! The demonstrations, as pages expect them.

use std::collections::BTreeSet;

use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::case::{Case, call, text};
use crate::{address, tour};

pub mod models;
pub mod questions;

/// The features of the protocol's showcase, the Dojo: its pages call their agents by these names. Its pages themselves
/// are in no package of npm.
const SHOWCASE: [&str; 17] = [
    "a2ui_advanced",
    "a2ui_dynamic_schema",
    "a2ui_fixed_schema",
    "a2ui_recovery",
    "agentic_chat",
    "agentic_chat_multimodal",
    "agentic_chat_reasoning",
    "agentic_generative_ui",
    "background_agents",
    "backend_tool_rendering",
    "error_flow",
    "human_in_the_loop",
    "interrupt",
    "predictive_state_updates",
    "shared_state",
    "subgraphs",
    "tool_based_generative_ui",
];

#[tokio::test]
async fn every_feature_of_the_showcase_is_served_under_its_name() {
    let server = tour();
    for feature in SHOWCASE {
        let body = json!({
            "threadId": feature, "runId": "1", "protocolVersion": "1.0",
            "messages": [{ "id": "1", "role": "user", "content": "Hello!" }],
        });
        let answer = Request::run(&format!("/{feature}"), body.to_string()).send(address(&server)).await;
        let types: Vec<Value> = answer.events().iter().map(|event| event["type"].clone()).collect();
        assert_eq!(types.first(), Some(&json!("RUN_STARTED")), "{feature}: {types:?}");
        let end = if feature == "error_flow" { "RUN_ERROR" } else { "RUN_FINISHED" };
        assert_eq!(types.last(), Some(&json!(end)), "{feature}: {types:?}");
    }
}

/// The events of each of them are compared, here or on CopilotKit's page.
#[test]
fn every_feature_of_the_showcase_is_compared() {
    let compared: BTreeSet<String> =
        cases().iter().map(|case| case.route.trim_start_matches('/').to_owned()).collect();
    let left: Vec<_> = SHOWCASE.into_iter().filter(|feature| !compared.contains(*feature)).collect();
    let drawn: Vec<_> = SHOWCASE.into_iter().filter(|feature| feature.starts_with("a2ui_")).collect();
    assert_eq!(left, drawn, "the interfaces of A2UI are drawn by `copilotkit a2ui`");
    let unknown: Vec<_> =
        compared.iter().filter(|route| !route.is_empty() && !SHOWCASE.contains(&route.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

pub fn cases() -> Vec<Case> {
    [chat(), pages(), predictions(), models::cases(), questions::cases(), tasks()]
        .into_iter()
        .flatten()
        .collect()
}

fn snapshot(more: &[Value]) -> Vec<Value> {
    said("hi", more)
}

fn said(text: &str, more: &[Value]) -> Vec<Value> {
    let said = json!({ "id": "said", "role": "user", "content": text });
    let messages = [&[said], more].concat();
    vec![json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages })]
}

/// The assistant's call and the tool's answer, in a restated conversation.
fn answered(tool: &str, arguments: &str, answer: &str) -> [Value; 2] {
    let call =
        json!({ "id": "#2", "type": "function", "function": { "name": tool, "arguments": arguments } });
    [
        json!({ "id": "#1", "role": "assistant", "toolCalls": [call] }),
        json!({ "id": "#3", "role": "tool", "toolCallId": "#2", "content": answer }),
    ]
}

fn chat() -> Vec<Case> {
    let down: String = (1..=10).rev().map(|number| format!("{number}  ")).collect();
    let background = json!({ "background": "linear-gradient(135deg, #667eea 0%, #764ba2 100%)" }).to_string();
    let weather = answered("lookup_weather", r#"{"city":"Lisbon"}"#, r#"{"city":"Lisbon","temperature":21}"#);
    let there =
        r#"{"city":"San Francisco","conditions":"sunny","temperature":21,"humidity":60,"wind_speed":10}"#;
    let rendered = answered("get_weather", r#"{"city":"San Francisco"}"#, there);
    vec![
        Case::new("/", [text("#1", "Hello world!")]),
        Case::new("/agentic_chat", [text("#1", &format!("counting down: {down}✓"))]).pieces(12),
        Case::new("/agentic_chat", [call("#1", "change_background", &background)])
            .said("tool", "tool")
            .leaves(&["#1"]),
        Case::new("/agentic_chat", [said("backend_tool", &weather)]).said("backend tool", "backend_tool"),
        Case::new("/agentic_chat", [text("#1", "background changed ✓")]).answered(
            "answered",
            "change_background",
            "done",
        ),
        Case::new("/backend_tool_rendering", [snapshot(&rendered)]),
        Case::new("/backend_tool_rendering", [text("#1", "Retrieved weather information!")]).answered(
            "answered",
            "get_weather",
            "{}",
        ),
    ]
}

fn pages() -> Vec<Case> {
    let work = |done: usize| {
        let status = |n| if n <= done { "completed" } else { "pending" };
        let steps: Vec<Value> =
            (1..=10).map(|n| json!({ "description": format!("Step {n}"), "status": status(n) })).collect();
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "steps": steps } })
    };
    let completed = |at| {
        let path = format!("/steps/{at}/status");
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": path, "value": "completed" }] })
    };
    vec![
        Case::new("/human_in_the_loop", [call("#1", "generate_task_steps", &plan().to_string())])
            .pieces(10)
            .leaves(&["#1"]),
        Case::new("/human_in_the_loop", [text("#1", "Ok! I'm working on it.")]).answered(
            "answered",
            "generate_task_steps",
            r#"{"accepted":true}"#,
        ),
        Case::new(
            "/agentic_generative_ui",
            [vec![work(0)], (0..10).map(completed).collect(), vec![work(10)]],
        ),
        Case::new(
            "/tool_based_generative_ui",
            [snapshot(&answered("generate_haiku", &haiku().to_string(), "Haiku created"))],
        ),
        Case::new(
            "/tool_based_generative_ui",
            [said("thanks", &[json!({ "id": "#1", "role": "assistant", "content": "Haiku created" })])],
        )
        .said("thanks", "thanks"),
        Case::new("/shared_state", [vec![json!({ "type": "STATE_SNAPSHOT", "snapshot": salad() })]]),
    ]
}

fn predictions() -> Vec<Case> {
    let prediction =
        json!([{ "state_key": "document", "tool": "write_document_local", "tool_argument": "document" }]);
    vec![
        Case::new(
            "/predictive_state_updates",
            [
                vec![json!({ "type": "CUSTOM", "name": "PredictState", "value": prediction })],
                call("#1", "write_document_local", &document().to_string()),
                vec![json!({ "type": "STATE_SNAPSHOT", "snapshot": document() })],
                call("#2", "confirm_changes", "{}"),
            ],
        )
        .pieces(20)
        .leaves(&["#1", "#2"]),
        Case::new("/predictive_state_updates", [text("#1", "Ok!")]).answered(
            "answered",
            "confirm_changes",
            r#"{"accepted":true}"#,
        ),
    ]
}

/// A task beside the conversation, and a run that fails.
fn tasks() -> Vec<Case> {
    let (kind, topic) = ("mastra-background-task", "the Solana ecosystem");
    let shown = json!({
        "type": "ACTIVITY_SNAPSHOT", "messageId": "#1", "activityType": kind, "replace": true,
        "content": { "taskId": "#2", "toolName": "run_deep_research", "status": "started", "outputs": [] },
    });
    let change = |patch: Value| json!({ "type": "ACTIVITY_DELTA", "messageId": "#1", "activityType": kind, "patch": patch });
    let add = |path: &str, value: &Value| json!({ "op": "add", "path": path, "value": value });
    let found = ["1: an overview", "2: a discussion", "3: a paper"]
        .map(|found| change(json!([add("/outputs/-", &json!(format!("{found} of {topic}")))])));
    let begun = change(json!([add("/status", &json!("running")), add("/args", &json!({ "topic": topic }))]));
    let ended = change(json!([add("/status", &json!("completed")), add("/result", &report(topic))]));
    vec![
        Case::new(
            "/background_agents",
            [
                vec![shown],
                text("#3", &format!("I look into {topic} in the background.")),
                vec![begun],
                found.to_vec(),
                vec![ended],
                text("#4", "The research is done."),
            ],
        )
        .said("researches", "Research the Solana ecosystem for me."),
        Case::new("/error_flow", []).fails(json!({
            "type": "RUN_ERROR", "message": "The report could not be made.", "code": "REPORT_FAILED",
        })),
    ]
}

/// The result of the task about a topic.
pub fn report(topic: &str) -> Value {
    let summary = format!("All sources agree that {topic} is worth a closer look.");
    json!({ "topic": topic, "summary": summary, "sources": 3 })
}

/// The arguments of the plan's tool.
pub fn plan() -> Value {
    let steps: Vec<Value> =
        (1..=10).map(|n| json!({ "description": format!("Step {n}"), "status": "enabled" })).collect();
    json!({ "steps": steps })
}

/// The arguments of the haiku tool.
pub fn haiku() -> Value {
    json!({
        "japanese": ["エーアイの", "橋渡す日々", "コード舞う"],
        "english": ["From AI's realm", "A bridge-day linking us all—", "Code dances softly"],
    })
}

/// The state of the salad's agent.
pub fn salad() -> Value {
    let ingredient =
        |icon: &str, name: &str, amount: &str| json!({ "icon": icon, "name": name, "amount": amount });
    let recipe = json!({
        "skill_level": "Advanced",
        "special_preferences": ["Low Carb", "Spicy"],
        "cooking_time": "15 min",
        "ingredients": [
            ingredient("🍗", "chicken breast", "1"),
            ingredient("🌶️", "chili powder", "1 tsp"),
            ingredient("🧂", "Salt", "a pinch"),
            ingredient("🥬", "Lettuce leaves", "handful"),
        ],
        "instructions": [
            "Season the chicken with chili powder and salt.",
            "Sear it until it is cooked through.",
            "Slice it, and wrap it in lettuce.",
        ],
    });
    json!({ "recipe": recipe })
}

/// The arguments of the document's tool.
pub fn document() -> Value {
    let story = "Once upon a time there was a cat who lived by the sea. Every morning it watched the boats go out, \
                 and every evening it counted them as they came back.";
    json!({ "document": story })
}
