//! Calls of frontend tools: those that the agent declares, and those that only the client does.

use agui_runtime::model::{MissingTools, PromptMessage, Reply};
use agui_runtime::protocol::Event;
use agui_runtime::testing::{self, RunEnd};
use serde_json::json;

use crate::clerk::{Talk, checkout, price, shop_input, talk, talk_with};

fn pending(talk: &Talk) -> Vec<String> {
    match testing::end(&talk.events) {
        RunEnd::Success { pending, .. } => pending.iter().map(|call| call.as_str().to_owned()).collect(),
        end => panic!("{end:?}"),
    }
}

#[test]
fn the_run_ends_where_the_page_must_answer() {
    let talk = talk([Reply::call("checkout", checkout { total: 180 })]);
    assert_eq!(pending(&talk).len(), 1);
    assert_eq!(talk.prompts.len(), 1);
    assert!(talk.lines().contains(r#"delta="{\"total\":180}""#), "{}", talk.lines());
}

#[test]
fn backend_tools_beside_it_run() {
    let rice = price { name: "rice".to_owned() };
    let talk = talk([Reply::call("checkout", checkout { total: 180 }).and_call("price", rice)]);
    assert_eq!(pending(&talk).len(), 1);
    assert!(talk.events.iter().any(|event| matches!(event, Event::ToolCallResult(_))), "{}", talk.lines());
}

/// A call that was sent cannot be taken back, and the page would act on it.
#[test]
fn a_call_with_wrong_arguments_is_not_sent() {
    let talk = talk([
        Reply::call("checkout", json!({ "total": "much" })),
        Reply::call("checkout", checkout { total: 180 }),
    ]);
    assert_eq!(pending(&talk).len(), 1);
    let calls = talk.events.iter().filter(|event| matches!(event, Event::ToolCallStart(_))).count();
    assert_eq!(calls, 1, "{}", talk.lines());
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    let why = answers[0].content.text();
    assert!(why.contains("total") && why.contains("invalid type"), "{why}");
}

#[test]
fn a_tool_of_the_page_alone_can_be_called() {
    let talk = talk([Reply::call("search", json!({ "query": "rice" }))]);
    assert_eq!(pending(&talk).len(), 1);
}

#[test]
fn a_call_of_it_that_is_no_json_goes_back_to_the_model() {
    let talk = talk([Reply::call("search", r#"{"query""#), Reply::text("Never mind.")]);
    assert_eq!(testing::texts(&talk.events), ["Never mind."]);
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert!(answers[0].failed && answers[0].content.text().contains("not JSON"), "{answers:?}");
}

#[test]
fn it_can_be_hidden() {
    let replies = [Reply::call("search", json!({})), Reply::text("Never mind.")];
    let talk = talk_with(replies, shop_input("Hi"), |chat| chat.max_turns(9).only_declared_tools());
    assert!(!talk.prompts[0].tools.iter().any(|tool| tool.name == "search"));
    let PromptMessage::Tools(answers) = &talk.last_read()[2] else { panic!("{:?}", talk.last_read()) };
    assert!(answers[0].content.text().contains("there is no tool `search`"), "{answers:?}");
}

#[test]
fn a_declared_tool_that_the_page_lacks_is_left_out_called_or_refused() {
    let without = || testing::input("Rice?");
    let names = |talk: &Talk| talk.prompts[0].tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    let left_out = talk_with([Reply::text("Hello.")], without(), |chat| chat);
    assert_eq!(names(&left_out), ["price"]);

    let call = [Reply::call("checkout", checkout { total: 1 })];
    let called = talk_with(call, without(), |chat| chat.missing_tools(MissingTools::Call));
    assert_eq!((names(&called), pending(&called).len()), (vec!["price".into(), "checkout".into()], 1));

    let refused = talk_with([], without(), |chat| chat.missing_tools(MissingTools::Refuse));
    assert!(refused.end().contains("tool_not_offered") && refused.prompts.is_empty(), "{}", refused.end());
}
