//! Turns that go well: text, reasoning, calls, results.

use agui_runtime::model::{
    AssistantPart, CallDelta, EndReason, PromptMessage, Reply, ReplyDelta, ScriptedModel,
};
use agui_runtime::protocol::{EncryptedValue, Event, TokenUsage};
use agui_runtime::testing;
use serde_json::json;

use crate::clerk::{price, shop_input, talk, talk_to, talk_with};

fn rice() -> price {
    price { name: "rice".to_owned() }
}

fn salt() -> price {
    price { name: "salt".to_owned() }
}

#[test]
fn text_goes_out_as_it_comes() {
    let model = ScriptedModel::new([Reply::text("It is 1.80.")]).pieces(6);
    let talk = talk_to(model, shop_input("Rice?"), |chat| chat);
    assert_eq!(
        talk.lines(),
        r#"TEXT_MESSAGE_START messageId="test-message-1" role="assistant"
TEXT_MESSAGE_CONTENT messageId="test-message-1" delta="It is "
TEXT_MESSAGE_CONTENT messageId="test-message-1" delta="1.80."
TEXT_MESSAGE_END messageId="test-message-1"
RUN_FINISHED threadId="thread" runId="run" outcome={"type":"success"}"#
    );
}

#[test]
fn the_model_reads_the_result_of_its_call() {
    let talk = talk([Reply::call("price", rice()), Reply::text("It is 1.80.")]);
    assert_eq!(talk.prompts.len(), 2);
    let [user, turn, results] = talk.last_read() else { panic!("{:?}", talk.last_read()) };
    assert_eq!(user, &PromptMessage::user("Rice?"));
    let PromptMessage::Assistant(parts) = turn else { panic!("{turn:?}") };
    let [AssistantPart::Call(call)] = &parts[..] else { panic!("{parts:?}") };
    assert_eq!((call.tool.as_str(), call.arguments.as_str()), ("price", r#"{"name":"rice"}"#));
    let PromptMessage::Tools(answers) = results else { panic!("{results:?}") };
    assert_eq!((&answers[0].id, &*answers[0].content.text(), answers[0].failed), (&call.id, "180", false));
}

#[test]
fn the_error_of_a_tool_is_a_result() {
    let gold = price { name: "gold".to_owned() };
    let talk = talk([Reply::call("price", gold), Reply::text("We have none.")]);
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert_eq!((&*answers[0].content.text(), answers[0].failed), (r#"{"error":"there is no gold"}"#, true));
    assert_eq!(testing::texts(&talk.events), ["We have none."]);
}

/// Providers expect the results of all calls of a turn behind one message.
#[test]
fn calls_of_one_turn_are_one_message() {
    let talk = talk([Reply::call("price", rice()).and_call("price", salt()), Reply::text("Both.")]);
    let parents: Vec<_> = talk
        .events
        .iter()
        .filter_map(|event| match event {
            Event::ToolCallStart(start) => Some(start.parent_message_id.clone().expect("a parent")),
            _ => None,
        })
        .collect();
    assert!(parents.len() == 2 && parents[0] == parents[1], "{parents:?}");
    assert_eq!(testing::texts(&talk.events), ["Both."], "no empty message carries the calls");
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert_eq!(
        answers.iter().map(|answer| answer.content.text().into_owned()).collect::<Vec<_>>(),
        ["180", "90"]
    );
}

#[test]
fn text_and_calls_of_one_turn_are_one_message() {
    let talk = talk([Reply::text("Let me look.").and_call("price", rice()), Reply::text("It is 1.80.")]);
    let Event::TextMessageStart(text) = &talk.events[1] else { panic!("{}", talk.lines()) };
    let start = talk.events.iter().find_map(|event| match event {
        Event::ToolCallStart(start) => start.parent_message_id.clone(),
        _ => None,
    });
    assert_eq!(start, Some(text.message_id.clone()));
}

#[test]
fn pieces_of_several_calls_may_interleave() {
    let call = |index, arguments: &str| ReplyDelta::Call(CallDelta::new(index).with_arguments(arguments));
    let first = [
        ReplyDelta::Call(CallDelta::new(1).with_tool("price").with_id("toolu_b")),
        ReplyDelta::Call(CallDelta::new(0).with_tool("price").with_id("toolu_a")),
        call(1, r#"{"name":"#),
        call(0, r#"{"name":"rice"}"#),
        call(1, r#""salt"}"#),
        ReplyDelta::End(EndReason::Stop),
    ];
    let talk = talk([Reply::deltas(first), Reply::text("Both.")]);
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    let answers: Vec<_> = answers.iter().map(|answer| (answer.id.as_str(), answer.content.text())).collect();
    assert_eq!(answers, [("toolu_a", "180".into()), ("toolu_b", "90".into())]);
}

#[test]
fn signed_reasoning_and_signed_calls_go_back_unchanged() {
    let mut signed = CallDelta::new(0).with_tool("price").with_arguments(r#"{"name":"rice"}"#);
    let of_call = EncryptedValue::new("call-signature").with_type("acme.call");
    let of_thought = EncryptedValue::new("signature").with_type("acme.thought");
    signed.encrypted = Some(of_call.clone());
    let first = [
        ReplyDelta::Reasoning("The price ".to_owned()),
        ReplyDelta::Reasoning("is known.".to_owned()),
        ReplyDelta::EncryptedReasoning(of_thought.clone()),
        ReplyDelta::Call(signed),
        ReplyDelta::End(EndReason::Stop),
    ];
    let talk = talk([Reply::deltas(first), Reply::text("It is 1.80.")]);
    let PromptMessage::Assistant(parts) = &talk.last_read()[1] else { panic!("{:?}", talk.last_read()) };
    let [AssistantPart::Reasoning { text, encrypted }, AssistantPart::Call(call)] = &parts[..] else {
        panic!("{parts:?}")
    };
    assert_eq!((text.as_str(), encrypted), ("The price is known.", &Some(of_thought)));
    assert_eq!(call.encrypted, Some(of_call));
    let values = talk.events.iter().filter(|event| matches!(event, Event::ReasoningEncryptedValue(_)));
    assert_eq!(values.count(), 2, "{}", talk.lines());
}

#[test]
fn a_client_of_1_0_stores_the_type_in_the_value() {
    let signature = EncryptedValue::new("c2ln").with_type("acme.thought");
    for (version, value, value_type) in [
        (Some("1.1"), "c2ln", Some("acme.thought")),
        (Some("1.0"), "acme.thought:c2ln", None),
        (None, "acme.thought:c2ln", None),
    ] {
        let deltas = [ReplyDelta::EncryptedReasoning(signature.clone()), ReplyDelta::End(EndReason::Stop)];
        let mut input = shop_input("Hi");
        input.protocol_version = version.map(str::to_owned);
        let talk = talk_with([Reply::deltas(deltas)], input, |chat| chat);
        let sent = talk.events.iter().find_map(|event| match event {
            Event::ReasoningEncryptedValue(event) => Some(event),
            _ => None,
        });
        let sent = sent.expect("the signature is sent");
        assert_eq!(
            (sent.encrypted_value.as_str(), sent.encrypted_value_type.as_deref()),
            (value, value_type)
        );
        let mut stored = EncryptedValue::new(value);
        stored.value_type = value_type.map(str::to_owned);
        assert_eq!(stored.value_of_type("acme.thought"), Some("c2ln"), "{version:?}");
    }
}

#[test]
fn the_usage_of_all_turns_is_reported() {
    let spent = |input: u32, output: u32| {
        TokenUsage::new().with_input_tokens(input).with_output_tokens(output).with_cached_input_tokens(1_u32)
    };
    let talk = talk([
        Reply::call("price", rice()).usage(spent(10, 2)),
        // A later count of one turn replaces an earlier one.
        Reply::text("It is 1.80.").usage(spent(1, 1)).usage(spent(20, 4)),
    ]);
    let Some(Event::RunFinished(finished)) = talk.events.last() else { panic!("{}", talk.lines()) };
    assert_eq!(
        serde_json::to_value(&finished.usage).unwrap(),
        json!([{ "provider": "scripted", "model": "script", "inputTokens": 30, "outputTokens": 6, "cachedInputTokens": 2 }])
    );
}

#[test]
fn the_prompt_has_instructions_context_and_tools() {
    let talk = talk_with([Reply::text("Hello.")], shop_input("Hi"), |chat| chat.instructions("Be brief."));
    let prompt = &talk.prompts[0];
    assert_eq!(prompt.instructions.as_deref(), Some("Be brief."));
    let tools: Vec<_> = prompt.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(tools, ["price", "checkout", "search"]);
    assert_eq!(prompt.tools[0].parameters["properties"]["name"]["type"], "string");
}

#[test]
fn a_hook_changes_the_prompt() {
    let talk = talk_with([Reply::text("Hello.")], shop_input("Hi"), |chat| {
        chat.before_model(|prompt| prompt.messages.push(PromptMessage::user("In French.")))
    });
    assert_eq!(talk.prompts[0].messages.len(), 2);
}

fn piece(index: u32) -> CallDelta {
    CallDelta::new(index)
}

fn calls_read(talk: &crate::clerk::Talk) -> Vec<(String, String)> {
    let PromptMessage::Assistant(parts) = &talk.last_read()[1] else { panic!("{:?}", talk.last_read()) };
    let calls = parts.iter().filter_map(|part| match part {
        AssistantPart::Call(call) => Some((call.id.to_string(), call.arguments.clone())),
        _ => None,
    });
    calls.collect()
}

fn pieces(pieces: impl IntoIterator<Item = CallDelta>) -> [Reply; 2] {
    let mut deltas: Vec<_> = pieces.into_iter().map(ReplyDelta::Call).collect();
    deltas.push(ReplyDelta::End(EndReason::Stop));
    [Reply::deltas(deltas), Reply::text("Done.")]
}

/// tools.md, section 5: "two calls that reuse index 0 merge into `{"x":1}{"y":2}`".
#[test]
fn two_calls_of_one_index_differ_by_their_ids() {
    let talk = talk(pieces([
        piece(0).with_id("a").with_tool("price").with_arguments(r#"{"name":"#),
        piece(0).with_arguments(r#""rice"}"#),
        piece(0).with_id("b").with_tool("price").with_arguments(r#"{"name":"#),
        piece(0).with_id("b").with_arguments(r#""salt"}"#),
    ]));
    let expected = [("a", r#"{"name":"rice"}"#), ("b", r#"{"name":"salt"}"#)];
    assert_eq!(calls_read(&talk), expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
}

#[test]
fn pieces_of_one_index_go_to_the_call_of_their_id() {
    let talk = talk(pieces([
        piece(1).with_id("a").with_tool("price"),
        piece(1).with_id("b").with_tool("price"),
        piece(1).with_id("a").with_arguments(r#"{"name":"rice"}"#),
        piece(1).with_id("b").with_arguments(r#"{"name":"salt"}"#),
    ]));
    let expected = [("a", r#"{"name":"rice"}"#), ("b", r#"{"name":"salt"}"#)];
    assert_eq!(calls_read(&talk), expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
}

#[test]
fn an_id_may_come_after_the_name() {
    let talk = talk(pieces([
        piece(0).with_tool("price"),
        piece(0).with_id("late"),
        piece(0).with_arguments(r#"{"name":"rice"}"#),
    ]));
    assert_eq!(calls_read(&talk), [("late".to_owned(), r#"{"name":"rice"}"#.to_owned())]);
    assert!(talk.lines().contains(r#"TOOL_CALL_START toolCallId="late""#), "{}", talk.lines());
}

#[test]
fn a_call_of_the_page_has_the_id_that_came_last() {
    let replies = pieces([
        piece(0).with_tool("search").with_arguments("{"),
        piece(0).with_id("late").with_arguments("}"),
    ]);
    let talk = talk(replies);
    assert!(talk.lines().contains(r#"TOOL_CALL_START toolCallId="late""#), "{}", talk.lines());
}

#[test]
fn a_call_without_arguments_and_id_is_sent_at_the_end() {
    let talk = talk(pieces([piece(0).with_tool("price")]));
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert!(
        answers[0].failed && answers[0].content.text().contains("arguments of tool `price`"),
        "{answers:?}"
    );
}
