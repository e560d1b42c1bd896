//! The defects of crate genai 0.7.2 that tools.md lists in section 5, one test each: our provider has none of them.
//!
//! `@copilotkit/aimock` cannot send these streams: it numbers the calls of Chat Completions from 0 on, each with its own number.
//! `tests/outside/tests/models/shapes.rs` has the streams that it can send.

use agui_runtime::model::{EndReason, ModelError};
use serde_json::{Value, json};

use crate::frames::{Said, ended, opened, turn};
use crate::server::{Answer, DIALECTS, Server, prompt, quick, read};

fn lines_of(dialect: &str, frames: impl IntoIterator<Item = Value>) -> Vec<String> {
    let frames: Vec<_> = frames.into_iter().map(|frame| frame.to_string()).chain(ended(dialect)).collect();
    let server = Server::start([Answer::frames(frames)]);
    let read = read(&server.model(dialect), &prompt());
    assert!(read.error.is_none(), "{dialect}: {read:?}");
    read.lines()
}

fn chat_call(call: &Value) -> Value {
    json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })
}

/// "two calls that reuse index 0 merge into `{"x":1}{"y":2}`"
#[test]
fn two_calls_that_reuse_an_index_stay_two() {
    let lines = lines_of(
        "openai-chat:m",
        [
            chat_call(
                &json!({ "index": 0, "id": "a", "function": { "name": "price", "arguments": "{\"x\"" } }),
            ),
            chat_call(&json!({ "index": 0, "function": { "arguments": ":1}" } })),
            chat_call(
                &json!({ "index": 0, "id": "b", "function": { "name": "price", "arguments": "{\"y\":2}" } }),
            ),
        ],
    );
    assert_eq!(lines, [r#"call 0 a price {"x":1}"#, r#"call 1 b price {"y":2}"#, "end Stop"]);
}

/// "a stream that starts at index 1 yields a call twice"
#[test]
fn a_stream_that_starts_at_index_1_yields_a_call_once() {
    let lines = lines_of(
        "openai-chat:m",
        [
            chat_call(&json!({ "index": 1, "id": "a", "function": { "name": "price", "arguments": "" } })),
            chat_call(&json!({ "index": 1, "function": { "arguments": "{}" } })),
        ],
    );
    assert_eq!(lines, ["call 0 a price {}", "end Stop"]);
}

/// "chunks carry *accumulated* arguments, so emit the suffix"
#[test]
fn arguments_that_come_as_a_whole_again_are_sent_once() {
    let whole = json!({ "type": "function_call", "call_id": "a", "name": "price", "arguments": "{\"x\":1}" });
    let lines = lines_of(
        "openai:m",
        [
            json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "function_call", "call_id": "a", "name": "price", "arguments": "" } }),
            json!({ "type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{\"x\"" }),
            json!({ "type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{\"x\":1}" }),
            json!({ "type": "response.output_item.done", "output_index": 0, "item": whole }),
        ],
    );
    assert_eq!(lines, [r#"call 0 a price {"x":1}"#, "end Stop"]);
}

#[test]
fn arguments_that_change_are_malformed() {
    let frames = [
        json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "function_call", "call_id": "a", "name": "price" } }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{\"x\"" }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": { "type": "function_call", "call_id": "a", "name": "price", "arguments": "{\"y\":1}" } }),
    ];
    let server = Server::start([Answer::frames(frames.map(|frame| frame.to_string()))]);
    let read = read(&server.model("openai:m"), &prompt());
    assert!(matches!(&read.error, Some(ModelError::Malformed(why)) if why.contains("changed")), "{read:?}");
}

/// "end of stream without a terminal marker is *truncated*, never success"
#[test]
fn a_stream_without_its_end_is_cut_off() {
    let said = [Said::Text("Once".into()), Said::Call("a".into(), "price".into(), vec!["{}".into()])];
    for dialect in DIALECTS {
        let server = Server::start([Answer::frames(opened(dialect, &said))]);
        let read = read(&server.model(dialect), &prompt());
        assert!(matches!(read.error, Some(ModelError::Truncated)), "{dialect}: {read:?}");
        assert_eq!(read.end(), None, "{dialect}");
    }
}

/// "Responses: a call without arguments shows only at the end"
#[test]
fn a_call_that_shows_only_at_the_end_is_not_lost() {
    let end = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "message", "content": [{ "type": "output_text", "text": "Wait." }] },
        { "type": "function_call", "call_id": "a", "name": "now", "arguments": "{}" },
    ] } });
    let server = Server::start([Answer::frames([end.to_string()])]);
    let read = read(&server.model("openai:m"), &prompt());
    assert_eq!(read.lines(), ["text Wait.", "call 0 a now {}", "end Stop"]);
}

/// "`incomplete` drops signatures"
#[test]
fn an_incomplete_response_keeps_its_signatures() {
    let end = json!({ "type": "response.incomplete", "response": {
        "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" },
        "output": [{ "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text", "text": "Hm." }], "encrypted_content": "c2ln" }],
    } });
    let server = Server::start([Answer::frames([end.to_string()])]);
    let read = read(&server.model("openai:m"), &prompt());
    assert_eq!(
        read.lines(),
        ["reasoning Hm.", "sealed openai.encrypted_content:rs_1:c2ln", "end OutputLimit"]
    );
}

/// "a failed response surfaces as a parse error"
#[test]
fn a_failed_response_says_why() {
    let failed = |code: &str, message: &str| {
        json!({ "type": "response.failed", "response": {
        "status": "failed", "output": [], "error": { "code": code, "message": message },
    } })
    };
    let error = |frame: Value| {
        let server = Server::start([Answer::frames([frame.to_string()])]);
        read(&server.model("openai:m"), &prompt()).error.expect("a failure")
    };
    let limited = error(failed("rate_limit_exceeded", "slow down"));
    assert!(matches!(limited, ModelError::RateLimited { .. }), "{limited:?}");
    let other = error(failed("odd", "the model is tired"));
    assert!(matches!(&other, ModelError::Failed(why) if why == "the model is tired"), "{other:?}");
}

/// "signed thinking is replayed only with `capture_reasoning_content(true)` and `captured_content` sent back"; a signature
/// may come in pieces, and reasoning may be readable to the provider alone.
#[test]
fn signed_and_redacted_thinking_is_read() {
    let start =
        |at: u32, block: Value| json!({ "type": "content_block_start", "index": at, "content_block": block });
    let delta = |at: u32, delta: Value| json!({ "type": "content_block_delta", "index": at, "delta": delta });
    let lines = lines_of(
        "anthropic:m",
        [
            start(0, json!({ "type": "thinking", "thinking": "" })),
            delta(0, json!({ "type": "thinking_delta", "thinking": "Hm." })),
            delta(0, json!({ "type": "signature_delta", "signature": "c2" })),
            delta(0, json!({ "type": "signature_delta", "signature": "ln" })),
            json!({ "type": "content_block_stop", "index": 0 }),
            start(1, json!({ "type": "redacted_thinking", "data": "c2VjcmV0" })),
            json!({ "type": "content_block_stop", "index": 1 }),
            start(2, json!({ "type": "text", "text": "Rice." })),
            json!({ "type": "content_block_stop", "index": 2 }),
        ],
    );
    assert_eq!(
        lines,
        [
            "reasoning Hm.",
            "sealed anthropic.signature:c2ln",
            "sealed anthropic.redacted_thinking:c2VjcmV0",
            "text Rice.",
            "end Stop"
        ]
    );
}

/// "no `parallel_tool_calls` option (use `extra_body`)"
#[test]
fn parallel_calls_can_be_switched_off() {
    use agui_runtime::model::{Prompt, PromptMessage, ToolSpec};
    use agui_runtime::provider::ModelOptions;
    for (dialect, pointer, expected) in [
        ("openai-chat:m", "/parallel_tool_calls", json!(false)),
        ("openai:m", "/parallel_tool_calls", json!(false)),
        ("anthropic:m", "/tool_choice/disable_parallel_tool_use", json!(true)),
    ] {
        let server = Server::start([Answer::frames(turn(dialect, &[]))]);
        let mut prompt = Prompt::new([PromptMessage::user("Rice?")]);
        prompt.tools = vec![ToolSpec::new("price", "Tells prices.", json!({ "type": "object" }))].into();
        let options = ModelOptions { parallel_calls: Some(false), ..quick() };
        read(&server.model(dialect).options(options), &prompt);
        assert_eq!(server.body().pointer(pointer), Some(&expected), "{dialect}");
    }
}

/// Each provider has another form for the same rule, and Anthropic's models must not reason when a call is forced.
#[test]
fn a_rule_for_calls_has_the_form_of_the_provider() {
    use agui_runtime::model::{Prompt, PromptMessage, ToolChoice, ToolSpec};
    use agui_runtime::provider::{ModelOptions, ReasoningEffort};
    let tool = || ToolChoice::Tool("price".to_owned());
    let gemini = |config| json!({ "functionCallingConfig": config });
    for (dialect, member, choice, expected) in [
        ("openai-chat:m", "tool_choice", ToolChoice::Auto, None),
        ("openai-chat:m", "tool_choice", ToolChoice::Never, Some(json!("none"))),
        ("openai-chat:m", "tool_choice", ToolChoice::Required, Some(json!("required"))),
        (
            "openai-chat:m",
            "tool_choice",
            tool(),
            Some(json!({ "type": "function", "function": { "name": "price" } })),
        ),
        ("openai:m", "tool_choice", ToolChoice::Auto, None),
        ("openai:m", "tool_choice", ToolChoice::Never, Some(json!("none"))),
        ("openai:m", "tool_choice", ToolChoice::Required, Some(json!("required"))),
        ("openai:m", "tool_choice", tool(), Some(json!({ "type": "function", "name": "price" }))),
        ("anthropic:claude-opus-4-6", "tool_choice", ToolChoice::Auto, None),
        ("anthropic:claude-opus-4-6", "tool_choice", ToolChoice::Never, Some(json!({ "type": "none" }))),
        ("anthropic:claude-opus-4-6", "tool_choice", ToolChoice::Required, Some(json!({ "type": "any" }))),
        (
            "anthropic:claude-opus-4-6",
            "tool_choice",
            tool(),
            Some(json!({ "type": "tool", "name": "price" })),
        ),
        ("gemini:m", "toolConfig", ToolChoice::Auto, None),
        ("gemini:m", "toolConfig", ToolChoice::Never, Some(gemini(json!({ "mode": "NONE" })))),
        ("gemini:m", "toolConfig", ToolChoice::Required, Some(gemini(json!({ "mode": "ANY" })))),
        (
            "gemini:m",
            "toolConfig",
            tool(),
            Some(gemini(json!({ "mode": "ANY", "allowedFunctionNames": ["price"] }))),
        ),
    ] {
        let server = Server::start([Answer::frames(turn(dialect, &[]))]);
        let mut prompt = Prompt::new([PromptMessage::user("Rice?")]);
        prompt.tools = vec![ToolSpec::new("price", "Tells prices.", json!({ "type": "object" }))].into();
        prompt.tool_choice = choice.clone();
        let options = ModelOptions { reasoning: Some(ReasoningEffort::High), ..quick() };
        read(&server.model(dialect).options(options), &prompt);
        let body = server.body();
        assert_eq!(body.get(member), expected.as_ref(), "{dialect} {choice:?}");
        if dialect.starts_with("anthropic") {
            assert_eq!(body.get("thinking").is_some(), !choice.forces_call(), "{choice:?}");
        }
    }
}

/// "Gemini's arguments come whole": also several calls in one frame, and none at all.
#[test]
fn calls_of_gemini_come_whole() {
    let lines = lines_of(
        "gemini:m",
        [json!({ "candidates": [{ "content": { "parts": [
        { "functionCall": { "name": "price", "args": { "name": "rice" } } },
        { "functionCall": { "name": "now" } },
    ] } }] })],
    );
    assert_eq!(lines, [r#"call 0  price {"name":"rice"}"#, "call 1  now {}", "end Stop"]);
}

#[test]
fn anthropics_call_without_arguments_has_an_empty_object() {
    let said = [Said::Call("a".into(), "now".into(), vec!["".into()])];
    let server = Server::start([Answer::frames(turn("anthropic:m", &said))]);
    assert_eq!(read(&server.model("anthropic:m"), &prompt()).lines(), ["call 0 a now {}", "end Stop"]);
}

#[test]
fn an_empty_first_text_says_nothing() {
    let lines = lines_of(
        "openai-chat:m",
        [
            json!({ "choices": [{ "delta": { "role": "assistant", "content": "" } }] }),
            json!({ "choices": [{ "delta": { "content": null, "tool_calls": null } }] }),
            json!({ "choices": [{ "delta": { "content": "Hi" } }] }),
        ],
    );
    assert_eq!(lines, ["text Hi", "end Stop"]);
}

#[test]
fn ends_have_their_reasons() {
    let chat = |reason: &str| vec![json!({ "choices": [{ "delta": {}, "finish_reason": reason }] })];
    let anthropic = |reason: &str| {
        vec![
            json!({ "type": "message_delta", "delta": { "stop_reason": reason } }),
            json!({ "type": "message_stop" }),
        ]
    };
    let gemini = |reason: &str| vec![json!({ "candidates": [{ "finishReason": reason }] })];
    let other = |reason: &str| EndReason::Other(reason.to_owned());
    for (dialect, frames, expected) in [
        ("openai-chat:m", chat("tool_calls"), EndReason::Stop),
        ("openai-chat:m", chat("length"), EndReason::OutputLimit),
        ("openai-chat:m", chat("content_filter"), EndReason::ContentFilter),
        ("openai-chat:m", chat("tired"), other("tired")),
        ("anthropic:m", anthropic("tool_use"), EndReason::Stop),
        ("anthropic:m", anthropic("max_tokens"), EndReason::OutputLimit),
        ("anthropic:m", anthropic("refusal"), EndReason::ContentFilter),
        ("anthropic:m", anthropic("pause_turn"), other("pause_turn")),
        ("gemini:m", gemini("MAX_TOKENS"), EndReason::OutputLimit),
        ("gemini:m", gemini("SAFETY"), EndReason::ContentFilter),
        ("gemini:m", gemini("MALFORMED_FUNCTION_CALL"), other("MALFORMED_FUNCTION_CALL")),
        (
            "gemini:m",
            vec![json!({ "promptFeedback": { "blockReason": "SAFETY" } })],
            EndReason::ContentFilter,
        ),
    ] {
        let said = opened(dialect, &[Said::Text("Hi".into())]);
        let server =
            Server::start([Answer::frames(said.into_iter().chain(frames.iter().map(Value::to_string)))]);
        let read = read(&server.model(dialect), &prompt());
        assert_eq!(read.end(), Some(&expected), "{dialect}: {read:?}");
    }
}
