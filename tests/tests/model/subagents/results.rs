//! A call of an agent: its events, its conversation and its result.

use agui_runtime::model::Reply;
use agui_runtime::protocol::Event;
use agui_runtime::testing::{self, RunEnd};
use serde_json::json;

use super::{Thread, brief, desk, questions, read, research, results};

#[test]
fn a_called_agent_speaks_under_an_id_of_its_own_and_returns_a_result() {
    let desk = desk(
        [research("Find rice."), Reply::text("Rice is old.")],
        [Reply::call("search", json!({ "words": "rice" })), Reply::text("It is 9,000 years old.")],
    );
    let events = Thread::new(desk.writer, "Write about rice.").run();
    let child = "called-r1-call-2";
    let of_child = |kind: &str| format!("{kind} {child}");
    let expected = [
        "RUN_STARTED".to_owned(),
        "TOOL_CALL_START".to_owned(),
        "TOOL_CALL_ARGS".to_owned(),
        "TOOL_CALL_END".to_owned(),
        of_child("SUBAGENT_STARTED"),
        of_child("TOOL_CALL_START"),
        of_child("TOOL_CALL_ARGS"),
        of_child("TOOL_CALL_END"),
        of_child("TOOL_CALL_RESULT"),
        of_child("TEXT_MESSAGE_START"),
        of_child("TEXT_MESSAGE_CONTENT"),
        of_child("TEXT_MESSAGE_END"),
        of_child("SUBAGENT_FINISHED"),
        "TOOL_CALL_RESULT".to_owned(),
        "TEXT_MESSAGE_START".to_owned(),
        "TEXT_MESSAGE_CONTENT".to_owned(),
        "TEXT_MESSAGE_END".to_owned(),
        "RUN_FINISHED".to_owned(),
    ];
    assert_eq!(brief(&events), expected);
    let Event::SubagentStarted(started) = &events[4] else { panic!("{events:?}") };
    assert_eq!(started.name, "researcher");
    assert_eq!(started.parent_tool_call_id.as_ref().unwrap().as_str(), "r1-call-2");
    assert_eq!(started.description.as_deref(), Some("Find rice."));
    assert_eq!(
        results(&events).last().unwrap(),
        &("r1-call-2".to_owned(), "It is 9,000 years old.".to_owned())
    );
    let prompts = desk.of_researcher.prompts();
    assert_eq!(prompts[0].last_user_text().unwrap(), "Find rice.", "the task is its whole conversation");
    assert!(!read(&desk.of_writer).contains("read about rice"), "the parent reads the result alone");
}

#[test]
fn later_runs_show_each_model_its_own_conversation() {
    for is_legacy in [false, true] {
        let desk = desk(
            [research("Find rice."), Reply::text("Rice is old."), Reply::text("As I said.")],
            [Reply::call("search", json!({ "words": "rice" })), Reply::text("It is 9,000 years old.")],
        );
        let mut thread = Thread::new(desk.writer, "Write about rice.");
        if is_legacy {
            thread = thread.legacy();
        }
        thread.run();
        thread.say("Sure?");
        let read = read(&desk.of_writer);
        assert!(read.contains("Rice is old.") && !read.contains("read about rice"), "{read}");
        assert_eq!(read.matches("9,000").count(), 1, "the result, and not the text of the subagent: {read}");
    }
}

#[test]
fn the_calls_of_one_turn_run_side_by_side() {
    let both = research("one").and_call("researcher", json!({ "task": "two" }));
    let meet = || Reply::call("meet", "{}");
    let of_both = [meet(), meet(), Reply::text("met"), Reply::text("met")];
    let desk = desk([both, Reply::text("Done.")], of_both);
    let events = Thread::new(desk.writer, "Go.").run();
    let results: Vec<_> = results(&events).into_iter().map(|(_, text)| text).collect();
    assert_eq!(results, ["true", "true", "met", "met"], "{}", testing::lines(&events));
}

#[test]
fn a_failed_agent_is_a_failed_result_unless_the_error_is_fatal() {
    let failing = desk([research("fail"), Reply::text("Sorry.")], []);
    let events = Thread::new(failing.writer, "Go.").run();
    assert_eq!(results(&events)[0].1, r#"{"error":"the library is closed"}"#);
    assert!(brief(&events).contains(&"SUBAGENT_ERROR called-r1-call-2".to_owned()));
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{}", testing::lines(&events));

    let burning = desk([research("burn")], []);
    let events = Thread::new(burning.writer, "Go.").run();
    assert_eq!(testing::end(&events), RunEnd::Failed { message: "the library burns", code: Some("FIRE") });
}

#[test]
fn a_panic_fails_that_call_alone() {
    let both = research("panic").and_call("search", json!({ "words": "salt" }));
    let desk = desk([both, Reply::text("Sorry.")], []);
    let events = Thread::new(desk.writer, "Go.").run();
    let results = results(&events);
    assert!(
        results.iter().any(|(_, text)| text == r#"{"error":"the tool `researcher` failed"}"#),
        "{results:?}"
    );
    assert!(results.iter().any(|(_, text)| text == "read about salt"), "{results:?}");
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{}", testing::lines(&events));
    assert!(!testing::lines(&events).contains("hunter2"));
}

#[test]
fn wrong_arguments_go_back_to_the_model() {
    let desk = desk([Reply::call("researcher", json!({ "tusk": 1 })), Reply::text("Sorry.")], []);
    let events = Thread::new(desk.writer, "Go.").run();
    assert!(results(&events)[0].1.contains("task"), "{:?}", results(&events));
    assert!(!testing::lines(&events).contains("SUBAGENT"));
}

#[test]
fn the_model_sees_the_agent_as_a_tool() {
    let desk = desk([Reply::text("Hi.")], []);
    Thread::new(desk.writer, "Go.").run();
    let prompts = desk.of_writer.prompts();
    let tool = prompts[0].tools.iter().find(|tool| tool.name == "researcher").unwrap();
    assert_eq!(tool.description, "Researches a topic.");
    assert_eq!(tool.parameters["required"], json!(["task"]), "{}", tool.parameters);
    assert_eq!(tool.parameters["properties"]["task"]["type"], "string");
}

#[test]
fn a_question_of_an_agent_is_no_result() {
    let desk = desk([research("Publish.")], [Reply::call("publish", json!({ "text": "rice" }))]);
    let events = Thread::new(desk.writer, "Go.").run();
    assert_eq!(questions(&events)[0].subagent_run_id.as_ref().unwrap().as_str(), "called-r1-call-2");
    assert_eq!(results(&events), []);
}
