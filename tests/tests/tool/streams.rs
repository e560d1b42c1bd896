//! Tools that return a stream, and tools that report progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::model::{Model, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::testing;
use agui_runtime::tools::{Progress, TimeoutError};
use futures::{FutureExt, Stream, StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Hit {
    name: String,
}

/// The time of the machine.
struct Tokio;

impl agui_runtime::Timer for Tokio {
    fn sleep(&self, time: Duration) -> futures::future::BoxFuture<'static, ()> {
        tokio::time::sleep(time).boxed()
    }
}

/// Counts the items that were made.
struct Made(AtomicUsize);

/// Finds things.
#[tool]
fn find(made: &Made, count: usize) -> impl Stream<Item = Hit> {
    stream::iter(0..count).map(|number| {
        made.0.fetch_add(1, Ordering::SeqCst);
        Hit { name: format!("hit {number}") }
    })
}

/// Finds things, until something breaks.
#[tool]
fn search(words: Vec<String>) -> impl Stream<Item = Result<Hit, Stop>> {
    stream::iter(words).map(|name| match name.as_str() {
        "broken" => Err(Stop::error("the index is broken")),
        _ => Ok(Hit { name }),
    })
}

/// Never ends.
#[tool(timeout = "20ms")]
fn endless() -> impl Stream<Item = u32> {
    stream::iter([1]).chain(stream::pending())
}

/// Returns too much.
#[tool(max_result = "1KB")]
fn flood(made: &Made) -> impl Stream<Item = String> {
    stream::repeat_with(|| {
        made.0.fetch_add(1, Ordering::SeqCst);
        "x".repeat(100)
    })
}

/// Has no JSON form.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct Unwritable {}

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("hunter2"))
    }
}

/// Returns items that cannot be written, for ever.
#[tool(max_result = 100)]
fn unwritable(made: &Made) -> impl Stream<Item = Unwritable> {
    stream::repeat_with(|| {
        made.0.fetch_add(1, Ordering::SeqCst);
        Unwritable {}
    })
}

/// Works for a while.
#[tool]
async fn work(run: &Emit, call: &ToolCtx) -> u32 {
    run.progress(call, Progress::with_total(1.0, 2.0).message("half")).await;
    run.progress(call, Progress::new(2.0)).await;
    7
}

/// Searches.
#[agent(tools = [find, search, endless, flood, unwritable, work])]
async fn searcher(
    run: &mut Run<Searcher>,
    _: Input<Searcher>,
    model: &Model,
    made: &Made,
) -> Result<(), Stop> {
    run.chat(model).await
}

struct Talk {
    events: Vec<Event>,
    /// The result that the model read.
    read: String,
    made: usize,
}

/// The model calls one tool.
fn talk(tool: &str, arguments: Value) -> Talk {
    let script = Arc::new(ScriptedModel::new([Reply::call(tool, arguments), Reply::text("Done.")]));
    let agent = Arc::new(Searcher::new(Arc::clone(&script).into(), Made(AtomicUsize::new(0))));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let events: Vec<Event> = runtime.block_on(async {
        let options = testing::options().timer(Tokio);
        agui_runtime::start(Arc::clone(&agent), testing::input("Go."), options).collect().await
    });
    let mut verifier = agui_runtime::order::OrderVerifier::new();
    for event in &events {
        verifier.check(event).unwrap_or_else(|violation| panic!("{violation}\n{}", testing::lines(&events)));
    }
    let prompts = script.prompts();
    let Some(PromptMessage::Tools(answers)) = prompts[1].messages.last() else { panic!("{prompts:?}") };
    Talk { read: answers[0].content.text().into_owned(), events, made: agent.made.0.load(Ordering::SeqCst) }
}

impl Talk {
    /// The reports on calls, with the name of the event.
    fn reports(&self) -> Vec<(String, Value)> {
        let reports = self.events.iter().filter_map(|event| match event {
            Event::Custom(custom) => {
                Some((custom.name.to_string(), serde_json::to_value(&custom.value).unwrap()))
            }
            _ => None,
        });
        reports.collect()
    }

    fn kinds(&self) -> Vec<String> {
        let kind = |event: &Event| serde_json::to_value(event).unwrap()["type"].as_str().unwrap().to_owned();
        self.events.iter().map(kind).collect()
    }
}

fn item(item: &Value) -> (String, Value) {
    ("agui-rust.tool_item".to_owned(), json!({ "toolCallId": "test-call-2", "item": item }))
}

#[test]
fn the_page_sees_each_item_and_the_model_the_list() {
    let talk = talk("find", json!({ "count": 2 }));
    assert_eq!(talk.reports(), [item(&json!({ "name": "hit 0" })), item(&json!({ "name": "hit 1" }))]);
    assert_eq!(talk.read, r#"[{"name":"hit 0"},{"name":"hit 1"}]"#);
    let kinds = talk.kinds();
    let at = |kind: &str| kinds.iter().position(|known| known == kind).unwrap();
    assert!(at("TOOL_CALL_END") < at("CUSTOM") && at("CUSTOM") < at("TOOL_CALL_RESULT"), "{kinds:?}");
}

#[test]
fn the_first_error_ends_the_call() {
    let good = talk("search", json!({ "words": ["a", "b"] }));
    assert_eq!((good.read.as_str(), good.reports().len()), (r#"[{"name":"a"},{"name":"b"}]"#, 2));
    let failed = talk("search", json!({ "words": ["a", "broken", "b"] }));
    assert_eq!((failed.read.as_str(), failed.reports().len()), (r#"{"error":"the index is broken"}"#, 1));
}

#[test]
fn a_stream_ends_with_its_time() {
    let talk = talk("endless", json!({}));
    assert_eq!(talk.reports(), [item(&json!(1))]);
    assert!(talk.read.contains("took longer than 20ms"), "{}", talk.read);
}

#[test]
fn no_item_is_made_beyond_the_limit_of_the_result() {
    let talk = talk("flood", json!({}));
    assert!(talk.read.contains("more than its limit of 1000"), "{}", talk.read);
    assert!(talk.made <= 11, "{} items", talk.made);
    assert!(talk.reports().len() < 10, "no more is sent than the limit allows");
}

/// Each counts as one byte.
#[test]
fn a_stream_of_items_without_a_json_form_ends_at_the_limit() {
    let talk = talk("unwritable", json!({}));
    assert_eq!(talk.made, 101, "the first that exceeds the limit is the last");
    assert_eq!(talk.read, r#"{"error":"the result has no JSON form"}"#, "and not the text of the error");
    assert_eq!(talk.reports(), []);
}

#[test]
fn progress_goes_to_the_page_alone() {
    let talk = talk("work", json!({}));
    let name = "agui-rust.tool_progress".to_owned();
    let half = json!({ "toolCallId": "test-call-2", "progress": 1.0, "total": 2.0, "message": "half" });
    let whole = json!({ "toolCallId": "test-call-2", "progress": 2.0 });
    assert_eq!(talk.reports(), [(name.clone(), half), (name, whole)]);
    assert_eq!(talk.read, "7");
}

/// Searches by hand.
#[agent(tools = [find, search, endless])]
async fn by_hand(run: &mut Run<ByHand>, _: Input<ByHand>, made: &Made) -> Result<(), Stop> {
    let hits: Vec<Hit> = run.call(find { count: 1 }).await?.run().await;
    assert_eq!(hits, [Hit { name: "hit 0".into() }]);
    let failed: Result<Vec<Hit>, Stop> = run.call(search { words: vec!["broken".into()] }).await?.run().await;
    assert!(failed.is_err());
    let late: Result<Vec<u32>, TimeoutError> = run.call(endless {}).await?.run().await;
    assert!(
        matches!(late, Err(TimeoutError::Elapsed { timeout, .. }) if timeout == Duration::from_millis(20))
    );
    Ok(())
}

#[test]
fn a_call_by_hand_returns_the_list() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let events: Vec<Event> = runtime.block_on(async {
        let options = testing::options().timer(Tokio);
        let agent = Arc::new(ByHand::new(Made(AtomicUsize::new(0))));
        agui_runtime::start(agent, testing::input("Go."), options).collect().await
    });
    assert!(matches!(testing::end(&events), testing::RunEnd::Success { .. }), "{}", testing::lines(&events));
}

/// The manifest, and with it the generated clients, know the result as a list.
#[test]
fn the_schema_of_the_result_is_a_list() {
    let manifest = agui_runtime::manifest::Manifest::build("tests", "0.1.0", &[Searcher::source()]).unwrap();
    let manifest = serde_json::to_value(manifest).unwrap();
    let tools = manifest["agents"][0]["tools"].as_array().unwrap();
    for tool in tools.iter().filter(|tool| tool["name"] != "work") {
        assert_eq!(tool["result"]["out"]["type"], "array", "{tool}");
    }
}
