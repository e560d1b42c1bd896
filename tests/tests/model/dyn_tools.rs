//! Tools that exist only at run time, beside typed ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use agui_runtime::model::{ChatStep, DynTool, DynToolError, Model, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, TextPart, ToolSide};
use agui_runtime::testing::{self, ManualTimer};
use agui_runtime::tools::ContentParts;
use agui_runtime::{RunOptions, start};
use futures::stream::StreamExt as _;
use serde_json::{Value, json};

use crate::clerk::{Talk, price, shop_input, talk_with};

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": { "name": { "type": "string", "minLength": 2 }, "shelf": { "type": "integer" } },
        "required": ["name"],
    })
}

/// Counts rice, and its calls.
fn stock_counted(calls: &Arc<AtomicU32>) -> DynTool<'static> {
    let calls = Arc::clone(calls);
    let count = move |arguments: Value| {
        let calls = Arc::clone(&calls);
        async move {
            calls.fetch_add(1, Ordering::Relaxed);
            match arguments["name"].as_str() {
                Some("rice") => Ok(json!({ "bags": 7 })),
                Some("gold") => Err(Stop::error("there is no gold")),
                Some("fire") => Err(Stop::error("the shop burns").fatal()),
                Some("bug") => panic!("a bug"),
                name => Ok(json!(name)),
            }
        }
    };
    DynTool::new("stock", "Counts what is in stock.", parameters(), count).expect("a right tool")
}

fn stock() -> DynTool<'static> {
    stock_counted(&Arc::default())
}

fn talk_stock(replies: impl Into<Vec<Reply>>) -> Talk {
    let tool = stock();
    talk_with(replies, shop_input("Rice?"), move |chat| chat.tools([tool.clone()]))
}

fn of(name: &str) -> Reply {
    Reply::call("stock", json!({ "name": name }))
}

/// Returns the results that the model read in its last turn, and true for those that failed.
fn results(talk: &Talk) -> Vec<(String, bool)> {
    let Some(PromptMessage::Tools(answers)) = talk.last_read().last() else {
        panic!("{:?}", talk.last_read())
    };
    answers.iter().map(|answer| (answer.content.text().into_owned(), answer.failed)).collect()
}

#[test]
fn the_model_calls_it_and_reads_its_result() {
    let talk = talk_stock([of("rice"), Reply::text("Seven.")]);
    assert_eq!(
        talk.lines(),
        r#"TOOL_CALL_START toolCallId="test-call-2" toolCallName="stock" parentMessageId="test-message-1"
TOOL_CALL_ARGS toolCallId="test-call-2" delta="{\"name\":\"rice\"}"
TOOL_CALL_END toolCallId="test-call-2"
TOOL_CALL_RESULT messageId="test-message-3" toolCallId="test-call-2" content="{\"bags\":7}"
TEXT_MESSAGE_START messageId="test-message-4" role="assistant"
TEXT_MESSAGE_CONTENT messageId="test-message-4" delta="Seven."
TEXT_MESSAGE_END messageId="test-message-4"
RUN_FINISHED threadId="thread" runId="run" outcome={"type":"success"}"#
    );
    let spec = talk.prompts[0].tools.iter().find(|tool| tool.name == "stock").expect("the model sees it");
    assert_eq!((spec.side, &spec.parameters), (ToolSide::Backend, &parameters()));
    assert_eq!(results(&talk), [(r#"{"bags":7}"#.to_owned(), false)]);
}

#[test]
fn the_client_reads_the_arguments_while_they_are_written() {
    let tool = stock();
    let model = ScriptedModel::new([of("rice"), Reply::text("Seven.")]).pieces(6);
    let talk = crate::clerk::talk_to(model, shop_input("Rice?"), move |chat| chat.tools([tool.clone()]));
    assert!(talk.lines().matches("TOOL_CALL_ARGS").count() > 1, "{}", talk.lines());
}

/// Waits until the other tool of the turn waits, too: it never ends if calls run one after the other.
fn meeting(met: &Arc<tokio::sync::Barrier>) -> DynTool<'static> {
    let met = Arc::clone(met);
    let meet = move |_| {
        let met = Arc::clone(&met);
        async move {
            met.wait().await;
            Ok::<_, Stop>("met")
        }
    };
    DynTool::new("meeting", "Meets.", json!({ "type": "object" }), meet).expect("a right tool")
}

/// Meets the dynamic tool.
#[tool]
async fn appointment(met: &Arc<tokio::sync::Barrier>) -> &'static str {
    met.wait().await;
    "met too"
}

/// Has a tool of each kind.
#[agent(tools = [appointment])]
async fn office(
    run: &mut Run<Office>,
    _: Input<Office>,
    model: &Model,
    met: &Arc<tokio::sync::Barrier>,
) -> Result<(), Stop> {
    // A tool that borrows from the run.
    let said = std::sync::Mutex::new(Vec::new());
    let note = |arguments: Value| {
        said.lock().unwrap().push(arguments["text"].to_string());
        std::future::ready(Ok::<_, Stop>(()))
    };
    let note = DynTool::new("note", "Notes.", json!({ "type": "object" }), note)?;
    let mut chat = run.chat(model).tools([meeting(met)]).tools([note]);
    let ChatStep { settled, end, .. } = chat.step().await?;
    let told: Vec<_> = settled.iter().map(|call| (&*call.tool, &*call.content)).collect();
    assert_eq!(told, [("meeting", "met"), ("appointment", "met too"), ("note", "null")]);
    assert!(end.is_none() && chat.step().await?.end.is_some());
    drop(chat);
    assert_eq!(*said.lock().unwrap(), [r#""hi""#]);
    Ok(())
}

#[test]
fn it_runs_side_by_side_with_a_typed_one() {
    let first = Reply::call("meeting", json!({}))
        .and_call("appointment", json!({}))
        .and_call("note", json!({ "text": "hi" }));
    let model = ScriptedModel::new([first, Reply::text("Done.")]);
    let agent = Office::new(model.into(), Arc::new(tokio::sync::Barrier::new(2)));
    let events = futures::executor::block_on(testing::run(agent, testing::input("Hi")));
    let lines = testing::lines(&events);
    assert!(lines.contains("RUN_FINISHED"), "{lines}");
    let parents: std::collections::BTreeSet<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::ToolCallStart(start) => start.parent_message_id.clone().map(|id| id.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(parents.len(), 1, "the calls of a turn are one message: {lines}");
}

#[test]
fn wrong_arguments_go_back_to_the_model_and_do_not_run() {
    let rows = [
        (r#"{"name":7}"#, "arguments of tool `stock` at `name`: expected string, and 7 came"),
        (
            r#"{"name":"x"}"#,
            "arguments of tool `stock` at `name`: expected at least 2 characters, and 1 came",
        ),
        (r#"{"shelf":1}"#, "arguments of tool `stock` at `.`: the member `name` is missing"),
        ("", "arguments of tool `stock` at `.`: the member `name` is missing"),
        ("[]", "arguments of tool `stock` at `.`: expected object, and [] came"),
        (r#"{"name":"#, "arguments of tool `stock` at `.`: EOF while parsing a value at line 1 column 8"),
    ];
    for (arguments, why) in rows {
        let calls = Arc::default();
        let tool = stock_counted(&calls);
        let replies = [Reply::call("stock", arguments), of("rice"), Reply::text("Seven.")];
        let talk = talk_with(replies, shop_input("Rice?"), move |chat| chat.tools([tool.clone()]));
        let told = json!({ "error": why }).to_string();
        let PromptMessage::Tools(answers) = &talk.prompts[1].messages[2] else {
            panic!("{:?}", talk.prompts[1])
        };
        assert_eq!((&*answers[0].content.text(), answers[0].failed), (&*told, true));
        assert!(talk.lines().contains(&serde_json::to_string(&told).unwrap()), "{}", talk.lines());
        assert_eq!(calls.load(Ordering::Relaxed), 1, "{arguments}");
    }
}

#[test]
fn wrong_arguments_are_bad_calls() {
    let bad = || Reply::call("stock", "{}");
    let tool = stock();
    let talk =
        talk_with([bad(), of("rice"), bad(), Reply::call("stock", r#"{"name":1}"#)], shop_input("?"), {
            move |chat| chat.max_bad_calls(2).tools([tool.clone()])
        });
    assert!(talk.end().contains("max_bad_calls"), "{}", talk.end());
    assert_eq!(talk.prompts.len(), 4);
}

#[test]
fn it_obeys_the_limits_of_calls() {
    let tool = stock();
    let script = ScriptedModel::from_fn(|_| of("rice"));
    let talk = crate::clerk::talk_to(script, shop_input("?"), move |chat| chat.tools([tool.clone()]));
    assert!(talk.end().contains("max_repeats"), "{}", talk.end());
    let tool = stock();
    let talk =
        talk_with([of("rice").and_call("stock", json!({ "name": "oil" }))], shop_input("?"), move |chat| {
            chat.max_calls(1).tools([tool.clone()])
        });
    assert!(talk.end().contains("max_calls"), "{}", talk.end());
    assert_eq!(talk.lines().matches("abandoned").count(), 2, "{}", talk.lines());
}

#[test]
fn its_error_is_a_result_unless_it_is_fatal() {
    let talk = talk_stock([of("gold"), Reply::text("None.")]);
    assert_eq!(results(&talk), [(r#"{"error":"there is no gold"}"#.to_owned(), true)]);
    let talk = talk_stock([of("fire"), Reply::text("?")]);
    assert!(talk.end().starts_with("RUN_ERROR") && talk.end().contains("the shop burns"), "{}", talk.end());
    assert!(talk.lines().contains("TOOL_CALL_RESULT"), "{}", talk.lines());
}

#[test]
fn a_panic_fails_that_call_alone() {
    let both = of("bug").and_call("price", price { name: "rice".to_owned() });
    let talk = talk_stock([both, Reply::text("Hm.")]);
    let failed = (r#"{"error":"the tool `stock` failed"}"#.to_owned(), true);
    assert_eq!(results(&talk), [failed, ("180".to_owned(), false)]);
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}

#[test]
fn a_panic_before_the_first_await_fails_that_call_alone() {
    let body = |_| -> std::future::Ready<Result<(), Stop>> { panic!("at once") };
    let tool = DynTool::new("stock", "Panics.", json!({ "type": "object" }), body).unwrap();
    let talk =
        talk_with([Reply::call("stock", json!({})), Reply::text("Hm.")], shop_input("?"), move |chat| {
            chat.tools([tool.clone()])
        });
    assert_eq!(results(&talk), [(r#"{"error":"the tool `stock` failed"}"#.to_owned(), true)]);
}

#[test]
fn a_result_above_the_limit_is_refused_not_cut() {
    for (limit, fits) in [(10, true), (9, false)] {
        let tool = stock().max_result(limit);
        let talk = talk_with([of("rice"), Reply::text("Hm.")], shop_input("?"), move |chat| {
            chat.tools([tool.clone()])
        });
        let (content, failed) = results(&talk).remove(0);
        assert_eq!(failed, !fits, "{content}");
        assert_eq!(
            content.contains("has 10 bytes, more than its limit of 9: ask for less"),
            !fits,
            "{content}"
        );
    }
}

#[test]
fn it_returns_parts() {
    let body =
        |_| std::future::ready(Ok::<_, Stop>(ContentParts::from_iter([TextPart::new("A bag.").into()])));
    let tool = DynTool::new("show", "Shows.", json!({ "type": "object" }), body).unwrap();
    let talk =
        talk_with([Reply::call("show", json!({})), Reply::text("So.")], shop_input("?"), move |chat| {
            chat.tools([tool.clone()])
        });
    let content = r#"content=[{"type":"text","text":"A bag."}]"#;
    assert!(talk.lines().contains(content), "{}", talk.lines());
}

/// Waits for a tool.
#[agent]
async fn patient(run: &mut Run<Patient>, _: Input<Patient>, model: &Model) -> Result<(), Stop> {
    let never = DynTool::new("never", "Never ends.", json!({ "type": "object" }), async |_| {
        futures::future::pending::<Result<(), Stop>>().await
    })?;
    run.chat(model).tools([never.timeout(Duration::from_secs(10))]).await
}

#[test]
fn a_call_that_takes_too_long_is_stopped() {
    let run = |timer: Option<&ManualTimer>, seconds| {
        let model: Model =
            ScriptedModel::new([Reply::call("never", json!({})), Reply::text("Later.")]).into();
        let mut options = RunOptions::default();
        if let Some(timer) = timer {
            options = options.timer(timer.clone());
        }
        let mut stream = start(Arc::new(Patient::new(model)), testing::input("Hi"), options);
        let mut events = Vec::new();
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..2 {
            while let Poll::Ready(Some(event)) = stream.poll_next_unpin(&mut context) {
                events.push(event);
            }
            if let Some(timer) = timer {
                timer.advance(Duration::from_secs(seconds));
            }
        }
        testing::lines(&events)
    };
    let late = run(Some(&ManualTimer::new()), 10);
    assert!(late.contains("the tool `never` took longer than 10s, and was stopped"), "{late}");
    assert!(late.contains("Later."), "{late}");
    let early = run(Some(&ManualTimer::new()), 9);
    assert!(!early.contains("TOOL_CALL_RESULT"), "{early}");
    let without = run(None, 0);
    assert!(without.contains("did not run: a timeout needs a timer"), "{without}");
}

#[test]
fn a_name_that_is_taken_ends_the_run_before_the_model_is_asked() {
    let named = |name: &str| {
        DynTool::new(name, "Is one too many.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(()))
            .unwrap()
    };
    let rows = [
        (vec![named("price")], "a tool of the agent has its name"),
        (vec![named("checkout")], "a tool of the agent has its name"),
        (vec![named("search")], "a tool of the client has its name"),
        (vec![named("twice"), named("twice")], "another tool of the chat has its name"),
    ];
    for (tools, why) in rows {
        let talk = talk_with([Reply::text("?")], shop_input("?"), move |chat| {
            chat.only_declared_tools().tools(tools.clone())
        });
        assert!(talk.end().contains("tool_name_taken") && talk.end().contains(why), "{}", talk.end());
        assert_eq!((talk.prompts.len(), talk.events.len()), (0, 2), "{}", talk.lines());
    }
}

fn made(name: &str, description: &str, parameters: Value) -> Result<(), DynToolError> {
    DynTool::new(name, description, parameters, async |_| Ok::<_, Stop>(())).map(drop)
}

#[test]
fn a_schema_with_a_mistake_is_refused_with_tool_and_place() {
    let object = |members: Value| {
        let mut schema = json!({ "type": "object" });
        schema.as_object_mut().unwrap().append(members.as_object().cloned().as_mut().unwrap());
        schema
    };
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({ "items": deep });
    }
    let rows = [
        (json!(7), "", "is an object"),
        (json!({}), "/type", "write `\"object\"`"),
        (json!({ "type": ["object", "null"] }), "/type", "write `\"object\"`"),
        (json!({ "type": "array" }), "/type", "write `\"object\"`"),
        (object(json!({ "properties": [] })), "/properties", "an object of schemas"),
        (
            object(json!({ "properties": { "a/b": { "type": "int" } } })),
            "/properties/a~1b/type",
            "a type of JSON Schema",
        ),
        (object(json!({ "properties": { "a": 1 } })), "/properties/a", "a schema is an object"),
        (object(json!({ "required": "a" })), "/required", "a list of names"),
        (object(json!({ "allOf": [{}, { "enum": 1 }] })), "/allOf/1/enum", "a list of values"),
        (
            object(json!({ "items": { "$ref": "#/$defs/A" }, "$defs": {} })),
            "/items/$ref",
            "there is nothing at",
        ),
        (object(json!({ "items": { "$ref": "http://example.com" } })), "/items/$ref", "there is nothing at"),
        (object(json!({ "anyOf": [] })), "/anyOf", "a list of schemas"),
    ];
    for (schema, place, why) in rows {
        let error = made("stock", "Counts.", schema.clone()).unwrap_err();
        let DynToolError::Schema { tool, path, reason } = &error else { panic!("{error}") };
        assert_eq!((tool.as_str(), path.as_str()), ("stock", place), "{schema}: {error}");
        assert!(reason.contains(why), "{schema}: {error}");
    }
    assert!(
        made("stock", "Counts.", object(json!({ "items": deep })))
            .unwrap_err()
            .to_string()
            .contains("too deep")
    );
    assert_eq!(
        made("stock", "Counts.", object(json!({ "$ref": "#/$defs/A", "$defs": { "A": {} } }))),
        Ok(())
    );
}

#[test]
fn names_and_descriptions_follow_the_rules_of_typed_tools() {
    let plain = || json!({ "type": "object" });
    for name in ["", "7up", "two words", "\u{fc}ber", &"n".repeat(65)] {
        assert_eq!(made(name, "Counts.", plain()), Err(DynToolError::Name { tool: name.to_owned() }));
    }
    for name in ["final_result", "agui_state"] {
        assert_eq!(made(name, "Counts.", plain()), Err(DynToolError::Reserved { tool: name.to_owned() }));
    }
    for (description, is_right) in
        [("", false), (" ", false), (&*"d".repeat(1024), true), (&*"d".repeat(1025), false)]
    {
        assert_eq!(made("stock", description, plain()).is_ok(), is_right, "{}", description.len());
    }
    assert_eq!(made(&"n".repeat(64), "Counts.", plain()), Ok(()));
}
