//! A typed output in each dialect: the provider's own form where the model has one, and a tool elsewhere.

use agui_runtime::model::{Chat, Model};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::provider::{HostedModel, ModelOptions, ReasoningEffort};
use agui_runtime::testing::{self, RunEnd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::frames::{Said, opened, turn};
use crate::server::{Answer, DIALECTS, Server, quick};

/// A dish that the user wants.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
#[serde(default)]
struct Dish {
    name: String,
    people: u8,
}

/// Looks up what an ingredient costs, in cents.
#[tool]
async fn price(name: String) -> u32 {
    u32::try_from(name.len()).unwrap_or_default()
}

/// Reads orders without a tool.
#[agent(state = Dish)]
async fn reader(run: &mut Run<Reader>, _: Input<Reader>, model: &Model) -> Result<Dish, Stop> {
    let state = run.state().snapshot(&Dish::default()).await?;
    streamed(run.chat(model), state).await
}

/// Reads orders with a tool.
#[agent(state = Dish, tools = [price])]
async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<Dish, Stop> {
    let state = run.state().snapshot(&Dish::default()).await?;
    streamed(run.chat(model), state).await
}

async fn streamed<A: agui_runtime::ToolSet>(
    chat: Chat<'_, A>,
    state: &StateHandle<Dish>,
) -> Result<Dish, Stop> {
    chat.stream_output(state, |state, dish: Dish| *state = dish).await
}

fn run(agent: impl agui_runtime::Agent) -> Vec<Event> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(testing::run(agent, testing::input("Risotto for four.")))
}

const DISH: &str = r#"{"name":"risotto","people":4}"#;

fn pieces() -> Vec<String> {
    [r#"{"name":"ri"#, r#"sotto","#, r#""people":4}"#].map(str::to_owned).into()
}

/// Returns the answer by the provider's own form, or by the tool.
fn answer(dialect: &str, is_native: bool) -> Answer {
    let texts = pieces().into_iter().map(Said::Text);
    let call = Said::Call("call_1".into(), "final_result".into(), pieces());
    match is_native {
        // The pieces are one text.
        true if dialect.starts_with("anthropic") || dialect.starts_with("openai:") => {
            Answer::frames(turn(dialect, &[Said::Text(DISH.into())]))
        }
        true => Answer::frames(turn(dialect, &texts.collect::<Vec<_>>())),
        false => Answer::frames(turn(dialect, &[call])),
    }
}

/// Returns the schema of the output in a request, if the request has one, and true if a tool gives the output.
fn asked(dialect: &str, body: &Value) -> (Option<Value>, bool) {
    let schema = match dialect.split(':').next().unwrap() {
        "openai" => body.pointer("/text/format/schema"),
        "anthropic" => body.pointer("/output_config/format/schema"),
        "gemini" => body.pointer("/generationConfig/responseSchema"),
        _ => body.pointer("/response_format/json_schema/schema"),
    };
    let tools = body.get("tools").map(Value::to_string).unwrap_or_default();
    (schema.cloned(), tools.contains("final_result"))
}

fn result(events: &[Event]) -> String {
    match testing::end(events) {
        RunEnd::Success { result: Some(dish), .. } => dish.to_string(),
        RunEnd::Failed { code: Some(code), .. } => code.to_owned(),
        other => panic!("{other:?}"),
    }
}

/// Returns the names in the state, one after the other.
fn names(events: &[Event]) -> Vec<String> {
    let mut state = Value::Null;
    let mut names = Vec::new();
    for event in events {
        match serde_json::to_value(event).unwrap() {
            event if event["type"] == "STATE_SNAPSHOT" => state = event["snapshot"].clone(),
            event if event["type"] == "STATE_DELTA" => {
                let patch: json_patch::Patch = serde_json::from_value(event["delta"].clone()).unwrap();
                json_patch::patch(&mut state, &patch).unwrap();
            }
            _ => continue,
        }
        names.push(state["name"].as_str().unwrap().to_owned());
    }
    names.dedup();
    names
}

#[test]
fn each_dialect_asks_in_its_own_form() {
    for dialect in DIALECTS {
        let server = Server::start([answer(dialect, true)]);
        let events = run(Reader::new(server.model(dialect).into()));
        assert_eq!(result(&events), DISH, "{dialect}");
        assert_eq!(testing::texts(&events), [""; 0], "{dialect}");
        let (schema, has_tool) = asked(dialect, &server.body());
        let schema = schema.unwrap_or_else(|| panic!("{dialect}: {}", server.body()));
        assert!(!has_tool, "{dialect}");
        assert!(schema["properties"]["people"].is_object(), "{dialect}: {schema}");
        match dialect.split(':').next().unwrap() {
            "openai" => {
                let format = &server.body()["text"]["format"];
                assert_eq!((&format["type"], &format["strict"]), (&json!("json_schema"), &json!(true)));
                assert_eq!(format["name"], "final_result");
            }
            "openai-chat" => {
                let format = &server.body()["response_format"];
                assert_eq!(
                    (&format["type"], &format["json_schema"]["strict"]),
                    (&json!("json_schema"), &json!(true))
                );
            }
            "anthropic" => assert_eq!(schema["additionalProperties"], false),
            _ => {
                let config = &server.body()["generationConfig"];
                assert_eq!(config["responseMimeType"], "application/json");
            }
        }
        if dialect.starts_with("openai") {
            assert_eq!(schema["required"], json!(["name", "people"]), "{dialect}");
        }
        assert_eq!(names(&events).last().unwrap(), "risotto");
        if dialect.starts_with("openai-chat") || dialect.starts_with("gemini") {
            assert_eq!(names(&events), ["", "ri", "risotto"], "{dialect}");
        }
    }
}

#[test]
fn the_tool_streams_into_the_state_too() {
    for dialect in DIALECTS {
        let server = Server::start([answer(dialect, false)]);
        let options = ModelOptions { native_output: Some(false), ..quick() };
        let events = run(Clerk::new(server.model(dialect).options(options).into()));
        assert_eq!(result(&events), DISH, "{dialect}");
        assert_eq!(asked(dialect, &server.body()), (None, true), "{dialect}");
        // Gemini's arguments come whole.
        if !dialect.starts_with("gemini") {
            assert_eq!(names(&events), ["", "ri", "risotto"], "{dialect}");
        }
    }
}

#[test]
fn a_server_or_a_model_without_the_form_is_asked_by_a_tool() {
    // Each with the form without tools, and with tools.
    for (spec, alone, beside_tools) in [
        ("openai:gpt-4o", true, true),
        ("openai:gpt-4", false, false),
        ("azure:my-deployment", true, true),
        ("azure-chat:my-deployment", true, true),
        ("anthropic:claude-sonnet-4-5", true, true),
        ("anthropic:claude-sonnet-4-20250514", false, false),
        ("gemini:gemini-2.5-flash", true, false),
        ("gemini:gemini-3-pro-preview", true, true),
        ("mistral:mistral-large-latest", true, false),
        ("xai:grok-4", true, false),
        ("ollama:qwen3", true, false),
        ("vllm:m", true, false),
        ("lmstudio:m", true, false),
        ("llamacpp:m", true, false),
        ("groq:m", false, false),
        ("deepseek:deepseek-chat", false, false),
        ("openrouter:m", false, false),
        ("bedrock:m", false, false),
    ] {
        // The dialect's name in the frames.
        let frames = match spec.split(':').next().unwrap() {
            known @ ("openai" | "anthropic" | "gemini") => known,
            "azure" => "openai",
            _ => "openai-chat",
        };
        for (has_tools, is_native) in [(false, alone), (true, beside_tools)] {
            let server = Server::start([answer(&format!("{frames}:"), is_native)]);
            let model: Model = server.model(spec).into();
            let events = if has_tools { run(Clerk::new(model)) } else { run(Reader::new(model)) };
            assert_eq!(result(&events), DISH, "{spec} {has_tools}");
            let (schema, has_tool) = asked(frames, &server.body());
            assert_eq!((schema.is_some(), has_tool), (is_native, !is_native), "{spec} {has_tools}");
        }
    }
    // A server that the table does not know, and the program does.
    for (native_output, is_native) in [(None, false), (Some(true), true)] {
        let server = Server::start([answer("openai-chat:", is_native)]);
        let model = HostedModel::with_keys(&server.address(), |_| None).unwrap();
        let model = model.options(ModelOptions { native_output, ..quick() });
        assert_eq!(result(&run(Reader::new(model.into()))), DISH);
        assert_eq!(asked("openai-chat", &server.body()).0.is_some(), is_native);
    }
}

#[test]
fn a_refused_form_does_not_end_the_run_and_is_not_tried_again() {
    for (dialect, why) in [
        ("openai-chat:gpt-4o", "This response_format type is unavailable now"),
        ("openai:gpt-4o", "Unsupported parameter: 'text.format' of type 'json_schema'"),
        ("anthropic:claude-sonnet-4-5", "output_config: Extra inputs are not permitted"),
        (
            "gemini:gemini-3-pro",
            "Function calling with a response mime type: 'application/json' is unsupported",
        ),
    ] {
        let body = json!({ "error": { "message": why, "type": "invalid_request_error" } }).to_string();
        let refused = Answer::status(400, "", &body);
        let server = Server::start([refused, answer(dialect, false), answer(dialect, false)]);
        let model = Model::from(server.model(dialect));
        for requests in [2, 3] {
            assert_eq!(result(&run(Clerk::new(model.clone()))), DISH, "{dialect}");
            assert_eq!(server.requests().len(), requests, "{dialect}");
            assert_eq!(asked(dialect, &server.body()), (None, true), "{dialect}");
        }
        assert!(asked(dialect, &server.requests()[0].1).0.is_some(), "{dialect}");
    }
    // A refusal for another reason is an error of the run, after one request in each form.
    let body = json!({ "error": { "message": "image too large" } }).to_string();
    let refused = || Answer::status(400, "", &body);
    let server = Server::start([refused(), refused(), answer("openai-chat:", true)]);
    let model = Model::from(server.model("openai-chat:gpt-4o"));
    assert_eq!(result(&run(Clerk::new(model.clone()))), "model_failed");
    assert_eq!(result(&run(Clerk::new(model))), DISH);
    assert!(asked("openai-chat", &server.body()).0.is_some());
    // Also if the text names the form, but the form is not the cause.
    let body = json!({ "error": { "message": "response_format or messages: Unsupported" } }).to_string();
    let refused = || Answer::status(400, "", &body);
    let server = Server::start([refused(), refused(), answer("openai-chat:", true)]);
    let model = Model::from(server.model("openai-chat:gpt-4o"));
    assert_eq!(result(&run(Clerk::new(model.clone()))), "model_failed");
    assert_eq!(result(&run(Clerk::new(model))), DISH);
    assert!(asked("openai-chat", &server.body()).0.is_some());
}

#[test]
fn the_programs_own_settings_leave_the_schema() {
    for (dialect, member, setting, value) in [
        ("openai:gpt-5", "text", "verbosity", json!("low")),
        ("anthropic:claude-sonnet-4-5", "output_config", "effort", json!("low")),
        ("gemini:gemini-3-pro", "generationConfig", "topK", json!(4)),
    ] {
        let server = Server::start([answer(dialect, true)]);
        let extra = json!({ member: { setting: value } }).as_object().unwrap().clone();
        let model = server.model(dialect).options(ModelOptions { extra, ..quick() });
        assert_eq!(result(&run(Reader::new(model.into()))), DISH, "{dialect}");
        let body = server.body();
        assert!(asked(dialect, &body).0.is_some(), "{dialect}: {body}");
        assert_eq!(body[member][setting], value, "{dialect}");
    }
}

#[test]
fn refusals_and_cut_off_replies_are_typed() {
    let chat = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] }).to_string();
    let stop = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }).to_string();
    let message = json!({ "type": "message", "content": [{ "type": "refusal", "refusal": "I will not." }] });
    let completed =
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [message] } });
    let delta =
        json!({ "type": "response.refusal.delta", "output_index": 0, "delta": "I will not." }).to_string();
    let parts = json!({ "content": [{ "type": "refusal", "refusal": "I will not." }] });
    for (dialect, frames) in [
        (
            "openai-chat:gpt-4o",
            vec![chat(json!({ "refusal": "I will" })), chat(json!({ "refusal": " not." })), stop.clone()],
        ),
        ("openai-chat:gpt-4o", vec![chat(parts), stop]),
        ("openai:gpt-4o", vec![completed.to_string()]),
        ("openai:gpt-4o", vec![delta, completed.to_string()]),
    ] {
        let server = Server::start([Answer::frames(&frames)]);
        let events = run(Reader::new(server.model(dialect).into()));
        assert_eq!(result(&events), "model_refused", "{dialect}: {frames:?}");
        assert_eq!(testing::texts(&events), ["I will not."], "{dialect}");
    }
    for dialect in DIALECTS {
        let said = [Said::Text(r#"{"name":"ri"#.into())];
        let server = Server::start([Answer::frames(opened(dialect, &said))]);
        assert_eq!(result(&run(Reader::new(server.model(dialect).into()))), "model_failed", "{dialect}");
        let cut = match dialect.split(':').next().unwrap() {
            "openai-chat" => json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "length" }] }),
            "openai" => json!({ "type": "response.incomplete", "response": {
                "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" }, "output": [],
            } }),
            "anthropic" => json!({ "type": "message_delta", "delta": { "stop_reason": "max_tokens" } }),
            _ => json!({ "candidates": [{ "content": { "parts": [] }, "finishReason": "MAX_TOKENS" }] }),
        };
        let frames = opened(dialect, &said).into_iter().chain([cut.to_string()]);
        let server = Server::start([Answer::frames(frames)]);
        let events = run(Reader::new(server.model(dialect).into()));
        assert_eq!(result(&events), "output_limit", "{dialect}");
        assert_eq!(testing::texts(&events), [""; 0], "{dialect}");
    }
}

#[test]
fn an_effort_stands_beside_the_format() {
    let dialect = "anthropic:claude-opus-4-6";
    let server = Server::start([answer(dialect, true)]);
    let options = ModelOptions { reasoning: Some(ReasoningEffort::Low), ..quick() };
    assert_eq!(result(&run(Reader::new(server.model(dialect).options(options).into()))), DISH);
    let config = &server.body()["output_config"];
    assert_eq!((&config["effort"], &config["format"]["type"]), (&json!("low"), &json!("json_schema")));
}
