//! Texts of errors: the client sees those that were written for users, the log has all of them.

use std::error::Error;
use std::io;
use std::sync::Arc;

use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::{PublicError, testing};
use agui_tests::log::Log;
use futures::executor::block_on;
use serde_json::{Value, json};
use tracing::Level;

use crate::agent::{Body, Script, input, judge, stream, stream_for, stream_with, types};

/// A text that no client may see.
const SECRET: &str = "password=hunter2";

type BoxError = Box<dyn Error + Send + Sync>;

/// The error of a library, with a cause that has more details.
#[derive(Debug, thiserror::Error)]
#[error("error sending request for url (http://127.0.0.1:4010/)")]
struct Request(#[source] io::Error);

fn request() -> Request {
    Request(io::Error::other(SECRET))
}

#[test]
fn a_question_mark_on_any_error_hides_its_text_and_logs_it() {
    type Failing = for<'r> fn(&'r agui_runtime::Run<Script>, &'r Input<Script>) -> Body<'r>;
    let rows: &[(&str, Failing)] = &[
        ("an error", |_, _| Box::pin(async { Ok(Err(request())?) })),
        ("a boxed error", |_, _| Box::pin(async { Ok(Err(BoxError::from(request()))?) })),
        ("anyhow", |_, _| Box::pin(async { Ok(Err(anyhow::Error::new(request()))?) })),
        ("anyhow with context", |_, _| {
            Box::pin(async { Ok(Err(anyhow::Error::new(request()).context("no shop"))?) })
        }),
        ("a String", |_, _| Box::pin(async { Ok(Err(SECRET.to_owned())?) })),
        ("a &str", |_, _| Box::pin(async { Ok(Err(SECRET)?) })),
    ];
    for (name, script) in rows {
        let (log, recording) = Log::record(Level::ERROR);
        let mut asked = input();
        (asked.run_id, asked.thread_id) = ("run-123".into(), "thread-7".into());
        let events = stream_for(asked, *script);
        drop(recording);
        assert_eq!(
            events[1..],
            [
                json!({"type": "RUN_ERROR", "message": "the agent failed (run run-123)", "code": "internal_error"})
            ],
            "{name}"
        );
        let lines = log.take();
        assert_eq!(lines.len(), 1, "{name}: {lines:?}");
        for logged in ["run_id=run-123 ", "thread_id=thread-7 ", "code=internal_error ", SECRET] {
            assert!(lines[0].contains(logged), "{name} lacks {logged}: {lines:?}");
        }
    }
}

#[test]
fn a_code_of_the_agents_own_is_shown_without_the_text() {
    let events = stream(|_, _| Box::pin(async { Err(Stop::from(request()).with_code("SHOP_DOWN")) }));
    assert_eq!(
        (&events[1]["message"], &events[1]["code"]),
        (&json!("the agent failed (run run)"), &json!("SHOP_DOWN"))
    );
}

#[test]
fn a_stop_for_people_is_shown_as_it_is_and_its_source_is_not() {
    let (log, _recording) = Log::record(Level::WARN);
    let events = stream(|_, _| {
        Box::pin(async { Err(Stop::error("the shop is closed").with_code("CLOSED").with_source(request())) })
    });
    assert_eq!(events[1], json!({"type": "RUN_ERROR", "message": "the shop is closed", "code": "CLOSED"}));
    let lines = log.take();
    assert!(lines.len() == 1 && lines[0].starts_with("WARN ") && lines[0].contains(SECRET), "{lines:?}");
}

#[test]
fn a_development_server_reveals_everything() {
    let revealed = |script| stream_with(input(), testing::options().reveal_errors(true), script);
    let all = format!("error sending request for url (http://127.0.0.1:4010/): {SECRET}");
    let events = revealed(|_, _| Box::pin(async { Ok(Err(request())?) }));
    assert_eq!(events[1], json!({"type": "RUN_ERROR", "message": all, "code": "internal_error"}));
    let events =
        revealed(|_, _| Box::pin(async { Err(Stop::error("the shop is closed").with_source(request())) }));
    assert_eq!(events[1]["message"], format!("the shop is closed: {all}"));

    let events = block_on(testing::run_with(Clerk::new(), input(), testing::options().reveal_errors(true)));
    let contents = contents(&events);
    assert_eq!(contents[&"transport"], json!({ "error": all }).to_string());
    assert_eq!(contents[&"hiding"], json!({ "error": all }).to_string());
    let told = format!("{{\"error\":\"{SECRET}\"}}");
    assert_eq!(
        (&contents[&"text"], &contents[&"explained"]),
        (&told, &r#"{"error":"rice is sold out"}"#.to_owned())
    );
}

#[test]
fn a_result_without_a_json_form_says_so_and_no_more() {
    /// Returns a value that cannot be written.
    #[agent]
    async fn mute(_run: &mut Run<Mute>, _: Input<Mute>) -> Result<Unwritable, Stop> {
        Ok(Unwritable)
    }
    #[derive(schemars::JsonSchema)]
    struct Unwritable;
    impl serde::Serialize for Unwritable {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom(SECRET))
        }
    }
    let events: Vec<Value> =
        block_on(testing::run(Mute::new(), input())).iter().map(crate::agent::json).collect();
    assert_eq!(
        events[1],
        json!({"type": "RUN_ERROR", "message": "the result of the run has no JSON form", "code": "result_unwritable"})
    );
}

/// Asks a shop over the network.
#[tool]
async fn transport() -> Result<u32, Request> {
    Err(request())
}

/// Fails with a box.
#[tool]
async fn boxed() -> Result<u32, BoxError> {
    Err(request().into())
}

/// Fails with anyhow.
#[tool]
async fn anyhow_tool() -> Result<u32, anyhow::Error> {
    Err(request())?
}

/// Fails with a string, as `map_err(|error| error.to_string())` makes it.
#[tool]
async fn text() -> Result<u32, String> {
    Err(SECRET.to_owned())
}

/// Fails with a stop that `?` made.
#[tool]
async fn hiding() -> Result<u32, Stop> {
    Err(request())?
}

/// Fails with a stop for people.
#[tool]
async fn open() -> Result<u32, Stop> {
    Err(Stop::error("we are closed"))
}

#[derive(Debug, thiserror::Error)]
#[error("{0} is sold out")]
struct SoldOut(&'static str);

impl PublicError for SoldOut {}

/// Fails with an error that is public.
#[tool]
async fn explained() -> Result<u32, SoldOut> {
    Err(SoldOut("rice"))
}

/// Fails with an error of the framework.
#[tool]
async fn early(list: &StateHandle<Vec<String>>) -> Result<usize, agui_runtime::state::StateError> {
    list.read(Vec::len)
}

/// Calls every tool, by type, and by name as a model does.
#[agent(state = Vec<String>, tools = [transport, boxed, anyhow_tool, text, hiding, open, explained, early])]
async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>) -> Result<(), Stop> {
    assert!(run.call(transport {}).await?.run().await.is_err());
    run.call(transport {}).await?.result(Err(request())).await?;
    run.call(open {}).await?.fail("the person said no").await;
    let mut calls = Vec::new();
    for tool in ["transport", "boxed", "anyhow_tool", "text", "hiding", "open", "explained", "early"] {
        calls.push(run.open_call(tool).await?.end()?);
    }
    let done = run.dispatch(calls).await;
    assert!(done.settled.iter().all(|call| call.failed));
    Ok(())
}

/// The last content of each tool's results.
fn contents(events: &[agui_runtime::protocol::Event]) -> std::collections::HashMap<&'static str, String> {
    let events: Vec<Value> = events.iter().map(crate::agent::json).collect();
    judge(&events);
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{events:#?}");
    let tools = ["transport", "boxed", "anyhow_tool", "text", "hiding", "open", "explained", "early"];
    let mut contents = std::collections::HashMap::new();
    for start in events.iter().filter(|event| event["type"] == "TOOL_CALL_START") {
        let tool = tools.into_iter().find(|tool| start["toolCallName"] == *tool).unwrap();
        let is_its_result = |event: &&Value| {
            event["type"] == "TOOL_CALL_RESULT" && event["toolCallId"] == start["toolCallId"]
        };
        let result = events.iter().find(is_its_result).unwrap();
        contents.insert(tool, result["content"].as_str().unwrap().to_owned());
    }
    contents
}

#[test]
fn the_error_of_a_tool_is_sent_if_its_type_is_public_and_logged_otherwise() {
    let (log, recording) = Log::record(Level::ERROR);
    let events = block_on(testing::run(Clerk::new(), input()));
    drop(recording);
    assert!(!serde_json::to_string(&events).unwrap().contains("hunter2"), "{events:#?}");
    assert!(!serde_json::to_string(&events).unwrap().contains("127.0.0.1"), "{events:#?}");
    let contents = contents(&events);
    for hidden in ["transport", "boxed", "anyhow_tool", "text", "hiding"] {
        assert_eq!(contents[hidden], format!(r#"{{"error":"the tool `{hidden}` failed"}}"#));
    }
    assert_eq!(contents["open"], r#"{"error":"we are closed"}"#);
    assert_eq!(contents["explained"], r#"{"error":"rice is sold out"}"#);
    assert!(contents["early"].starts_with(r#"{"error":"the state has no baseline yet"#), "{contents:?}");

    let lines = log.take();
    assert_eq!(lines.len(), 7, "one for each hidden error: {lines:#?}");
    for line in &lines {
        for logged in ["run_id=run ", "thread_id=thread ", "tool_call_id=test-call-", SECRET] {
            assert!(line.contains(logged), "lacks {logged}: {line}");
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the shop does not answer")]
struct Silent(#[source] Request);

impl PublicError for Silent {}

/// Fails with a public error that has a cause.
#[tool]
async fn caused() -> Result<u32, Silent> {
    Err(Silent(request()))
}

/// Fails with a stop for people that has a cause.
#[tool]
async fn sourced() -> Result<u32, Stop> {
    Err(Stop::error("the shop does not answer").with_source(request()))
}

/// Calls both.
#[agent(tools = [caused, sourced])]
async fn caller(run: &mut Run<Caller>, _: Input<Caller>) -> Result<(), Stop> {
    let calls = vec![run.open_call("caused").await?.end()?, run.open_call("sourced").await?.end()?];
    let _ = run.dispatch(calls).await;
    Ok(())
}

#[test]
fn the_causes_of_a_public_error_go_to_the_log() {
    let (log, recording) = Log::record(Level::WARN);
    let events = block_on(testing::run(Caller::new(), input()));
    drop(recording);
    let json = serde_json::to_string(&events).unwrap();
    assert_eq!(json.matches(r#"{\"error\":\"the shop does not answer\"}"#).count(), 2, "{json}");
    assert!(!json.contains(SECRET), "{json}");
    let lines = log.take();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    for line in &lines {
        for logged in ["WARN ", "run_id=run ", "tool_call_id=test-call-", SECRET] {
            assert!(line.contains(logged), "lacks {logged}: {line}");
        }
    }
    let revealing = testing::options().reveal_errors(true);
    let events = block_on(testing::run_with(Caller::new(), input(), revealing));
    let json = serde_json::to_string(&events).unwrap();
    assert!(json.contains("the shop does not answer: ") && json.contains(SECRET), "{json}");
}

#[test]
fn a_handwritten_text_for_the_user_is_sent() {
    let events = block_on(testing::run(Clerk::new(), input()));
    let json = serde_json::to_string(&events).unwrap();
    assert!(json.contains(r#"{\"error\":\"the person said no\"}"#), "{json}");
}

#[test]
fn a_tool_that_panics_says_nothing_of_its_text() {
    /// Panics.
    #[tool]
    async fn clumsy() -> u32 {
        panic!("{SECRET}")
    }
    /// Calls it.
    #[agent(tools = [clumsy])]
    async fn cook(run: &mut Run<Cook>, _: Input<Cook>) -> Result<u32, Stop> {
        Ok(run.call(clumsy {}).await?.run().await)
    }
    let (log, recording) = Log::record(Level::ERROR);
    let events = block_on(testing::run(Cook::new(), input()));
    drop(recording);
    let json = serde_json::to_string(&events).unwrap();
    assert!(!json.contains("hunter2") && json.contains("the agent panicked (run run)"), "{json}");
    let lines = log.take();
    assert!(lines.iter().any(|line| line.contains(SECRET) && line.contains("run_id=run ")), "{lines:?}");
}

#[test]
fn the_error_of_a_subagent_is_hidden_and_logged_also_where_it_is_handled() {
    /// Fails.
    #[agent]
    async fn reader(_run: &mut Run<Reader>, _: Input<Reader>) -> Result<(), BoxError> {
        Err(request().into())
    }
    /// Does without.
    #[agent]
    async fn planner(
        run: &mut Run<Planner>,
        _: Input<Planner>,
        reader: &Arc<Reader>,
    ) -> Result<String, Stop> {
        let stop = run.delegate("reader", reader, []).await.unwrap_err();
        Ok(stop.to_string())
    }
    let planner = || Planner::new(Arc::new(Reader::new()));
    let (log, recording) = Log::record(Level::ERROR);
    let events: Vec<Value> =
        block_on(testing::run(planner(), input())).iter().map(crate::agent::json).collect();
    drop(recording);
    judge(&events);
    assert_eq!(types(&events), ["RUN_STARTED", "SUBAGENT_STARTED", "SUBAGENT_ERROR", "RUN_FINISHED"]);
    let error = &events[2];
    assert_eq!(
        (&error["message"], &error["code"]),
        (&json!("the agent failed (run run)"), &json!("internal_error"))
    );
    assert_eq!(events[3]["result"], "the agent failed");
    let lines = log.take();
    assert!(lines.len() == 1 && lines[0].contains(SECRET) && lines[0].contains("run_id=run "), "{lines:?}");

    let revealing = testing::options().reveal_errors(true);
    let events = block_on(testing::run_with(planner(), input(), revealing));
    assert!(serde_json::to_string(&events[2]).unwrap().contains(SECRET), "{events:?}");
}

/// Adopts what the client holds.
#[agent(state = Vec<u32>)]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    run.state().adopt_or_snapshot(&input).await?;
    Ok(())
}

fn held(state: Value) -> RunAgentInput {
    let mut asked = input();
    asked.state = agui_runtime::protocol::NonNull::new(state);
    asked
}

#[test]
fn a_state_that_does_not_fit_is_named_with_its_code_and_path() {
    let events = block_on(testing::run(Keeper::new(), held(json!([1, "two"]))));
    assert_eq!(
        crate::agent::json(&events[1]),
        json!({
            "type": "RUN_ERROR",
            "code": "state_invalid",
            "message": "the state the client sent does not fit at `[1]`: invalid type: string \"two\", expected u32",
        })
    );
}

#[test]
fn the_clients_text_in_an_error_is_bounded() {
    let long = "x".repeat(100_000);
    let events = block_on(testing::run(Keeper::new(), held(json!([long]))));
    let error = crate::agent::json(&events[1]);
    let message = error["message"].as_str().unwrap();
    assert!(
        error["code"] == "state_invalid" && message.contains("at `[0]`") && message.len() < 500,
        "{message}"
    );
}

#[test]
fn errors_of_the_framework_are_shown_with_their_codes() {
    use agui_runtime::state::StateError;
    let failed = |script| stream(script)[1].clone();
    let early = failed(|_, _| Box::pin(async { Ok(Err(StateError::NoBaseline)?) }));
    assert_eq!(early["code"], "state_without_baseline");
    assert!(early["message"].as_str().unwrap().starts_with("the state has no baseline yet"), "{early}");
    let foreign = failed(|run, _| {
        Box::pin(async move {
            let end = agui_runtime::protocol::TextMessageEndEvent::new("m-1");
            run.dynamic(agui_runtime::Policy::Strict).feed(end).await?;
            Ok(())
        })
    });
    assert_eq!(foreign["code"], "forwarded_event_refused");
    assert!(foreign["message"].as_str().unwrap().contains("`m-1`"), "{foreign}");
    // In a box it is the same error.
    let boxed = failed(|_, _| Box::pin(async { Ok(Err(BoxError::from(StateError::NoBaseline))?) }));
    assert_eq!(boxed, early);
}
