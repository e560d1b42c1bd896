//! Conversations that go well, in each dialect of the mock.

use agui_runtime::protocol::{Event, Message, ToolMessage};
use agui_runtime::receive::{ReceivePipeline, Reducer};
use agui_runtime::testing::{self, RunEnd};
use agui_tests::model_server::quick;
use agui_tests::need;
use agui_tests::outside::ModelMock;
use serde_json::json;

use crate::agent::{DIALECTS, end, run};

fn shop() -> serde_json::Value {
    json!([
        { "match": { "userMessage": "hello" }, "response": { "content": "Hello! How are you?" } },
        { "match": { "userMessage": "rice and salt", "hasToolResult": false }, "response": { "toolCalls": [
            { "name": "price", "arguments": "{\"name\":\"rice\"}" }, { "name": "price", "arguments": "{\"name\":\"salt\"}" },
        ] }, "chunkSize": 3 },
        { "match": { "userMessage": "rice and salt", "hasToolResult": true }, "response": { "content": "270 cents." } },
        { "match": { "userMessage": "that is all", "hasToolResult": false }, "response": { "toolCalls": [
            { "name": "checkout", "arguments": "{\"total\":270}" },
        ] } },
        { "match": { "userMessage": "that is all", "hasToolResult": true }, "response": { "content": "Thank you." } },
        { "match": { "userMessage": "think", "hasToolResult": false }, "response": {
            "reasoning": "The customer wants rice.", "reasoningSignature": "c2lnbmF0dXJl", "redactedThinking": ["c2VjcmV0"],
            "toolCalls": [{ "name": "price", "arguments": "{\"name\":\"rice\"}" }],
        } },
        { "match": { "userMessage": "think", "hasToolResult": true }, "response": { "content": "180 cents." } },
        { "match": { "userMessage": "unknown", "hasToolResult": false }, "response": { "toolCalls": [
            { "name": "prize", "arguments": "{}" },
        ] } },
        { "match": { "userMessage": "unknown", "hasToolResult": true }, "response": { "content": "Sorry." } },
        { "match": { "userMessage": "half", "hasToolResult": false }, "response": { "toolCalls": [
            { "name": "price", "arguments": "{\"name\":7}" },
        ] } },
        { "match": { "userMessage": "half", "hasToolResult": true }, "response": { "content": "Sorry." } },
    ])
}

#[test]
fn text_is_streamed_and_counted() {
    let mock = need!(ModelMock::start(&shop()));
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("hello"));
        assert_eq!(
            testing::texts(&events),
            ["Hello! How are you?"],
            "{dialect}: {}",
            testing::lines(&events)
        );
        let Some(Event::RunFinished(finished)) = events.last() else { panic!("{dialect}: {}", end(&events)) };
        let usage = finished.usage.as_ref().unwrap_or_else(|| panic!("{dialect}: no usage"));
        let (provider, name) = dialect.split_once(':').unwrap();
        assert_eq!(usage[0].provider.as_deref(), Some(provider.trim_end_matches("-chat")), "{dialect}");
        assert_eq!(usage[0].model.as_deref(), Some(name), "{dialect}");
        assert!(usage[0].input_tokens.is_some() && usage[0].output_tokens.is_some(), "{dialect}: {usage:?}");
    }
    assert_eq!(need!(mock.check_requests()), 4);
}

#[test]
fn calls_of_one_turn_run_and_their_results_go_back() {
    let mock = need!(ModelMock::start(&shop()));
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("rice and salt"));
        let results: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::ToolCallResult(result) => Some(result.content.text().into_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(results, ["180", "90"], "{dialect}: {}", testing::lines(&events));
        assert_eq!(testing::texts(&events), ["270 cents."], "{dialect}");
    }
    assert_eq!(need!(mock.check_requests()), 8);
}

#[test]
fn a_frontend_tool_ends_the_run_and_its_result_continues_it() {
    let mock = need!(ModelMock::start(&shop()));
    for dialect in DIALECTS {
        let mut input = testing::input("that is all");
        let events = run(mock.model(dialect, quick()), input.clone());
        let RunEnd::Success { pending: [call], .. } = testing::end(&events) else {
            panic!("{dialect}: {}", testing::lines(&events))
        };
        input.messages = folded(&input.messages, &events);
        input.messages.push(ToolMessage::new("answer", "true", call.clone()).into());
        let events = run(mock.model(dialect, quick()), input);
        assert_eq!(testing::texts(&events), ["Thank you."], "{dialect}: {}", testing::lines(&events));
    }
    assert_eq!(need!(mock.check_requests()), 8);
}

/// Returns the conversation that a client holds after a run.
fn folded(messages: &[Message], events: &[Event]) -> Vec<Message> {
    let mut pipeline = ReceivePipeline::new().with_reducer(Reducer::new().with_messages(messages.to_vec()));
    for event in events {
        pipeline.push(event.clone());
    }
    pipeline.drain(|_, _, _| {}).expect("a legal stream");
    pipeline.reducer().messages().to_vec()
}

/// The mock refuses a turn of Anthropic's whose reasoning does not come back with its signature.
#[test]
fn signed_reasoning_goes_back_as_it_came() {
    let mock = need!(ModelMock::start(&shop()));
    for dialect in DIALECTS {
        let events = run(mock.model(dialect, quick()), testing::input("think"));
        assert_eq!(testing::texts(&events), ["180 cents."], "{dialect}: {}", testing::lines(&events));
        let reasoned = events.iter().any(|event| matches!(event, Event::ReasoningMessageContent(_)));
        assert!(reasoned, "{dialect}: {}", testing::lines(&events));
        let sealed = events.iter().any(|event| matches!(event, Event::ReasoningEncryptedValue(_)));
        assert!(sealed || !dialect.starts_with("anthropic"), "{dialect}: {}", testing::lines(&events));
    }
    assert_eq!(need!(mock.check_requests()), 8);
}

/// The client sends back what it folded, and the mock accepts it in any dialect.
#[test]
fn a_conversation_goes_on_with_another_provider() {
    let mock = need!(ModelMock::start(&shop()));
    let mut messages: Vec<Message> = Vec::new();
    for dialect in DIALECTS.into_iter().cycle().take(8) {
        let mut input = testing::input("think");
        let number = messages.len();
        let said = agui_runtime::protocol::UserMessage::new(format!("user-{number}"), "think");
        messages.push(said.into());
        input.messages = messages.clone();
        let model = mock.model(dialect, quick());
        let events = run(model, input);
        assert_eq!(testing::texts(&events), ["180 cents."], "{dialect}: {}", testing::lines(&events));
        messages = distinct(&folded(&messages, &events), number);
    }
    assert_eq!(need!(mock.check_requests()), 16);
}

/// The ids of `testing` are the same in each run; a client's are not.
fn distinct(messages: &[Message], from: usize) -> Vec<Message> {
    let text = serde_json::to_string(&messages[from..]).unwrap();
    let text = text.replace("test-", &format!("turn-{from}-"));
    let mut all = messages[..from].to_vec();
    all.extend(serde_json::from_str::<Vec<Message>>(&text).unwrap());
    all
}

#[test]
fn calls_that_cannot_be_made_go_back_to_the_model() {
    let mock = need!(ModelMock::start(&shop()));
    for dialect in DIALECTS {
        for said in ["unknown", "half"] {
            let events = run(mock.model(dialect, quick()), testing::input(said));
            assert_eq!(testing::texts(&events), ["Sorry."], "{dialect} {said}: {}", testing::lines(&events));
        }
    }
    assert_eq!(need!(mock.check_requests()), 16);
}
