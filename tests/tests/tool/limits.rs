//! `timeout` and `max_result`: a call that takes too long, and a result that is too large.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{DataSource, Event, ImagePart};
use agui_runtime::testing::{self, ManualTimer};
use agui_runtime::tools::{ContentParts, TimeoutError};
use agui_runtime::{Ids, RunOptions, start};
use futures::stream::StreamExt as _;
use serde_json::json;

/// Counts the futures that are alive.
#[derive(Clone, Default)]
struct Alive(Arc<AtomicU32>);

struct Guard(Alive);

impl Guard {
    fn of(alive: &Alive) -> Self {
        alive.0.fetch_add(1, Ordering::Relaxed);
        Self(alive.clone())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Refunds an order.
#[tool(timeout = "10s")]
async fn refund(alive: &Alive, #[tool(default = true)] hangs: bool) -> Result<u32, Stop> {
    let _guard = Guard::of(alive);
    if hangs {
        futures::future::pending::<()>().await;
    }
    Err(Stop::error("sold out"))
}

/// Waits for the kettle.
#[tool(timeout = "500ms")]
async fn boil() -> &'static str {
    "hot"
}

/// Lists the orders.
#[tool(max_result = "20B")]
async fn orders(count: u32) -> String {
    "o".repeat(count as usize)
}

/// Shows a picture.
#[tool(max_result = 200)]
async fn picture(bytes: u32) -> ContentParts {
    let source = DataSource::new("A".repeat(bytes as usize), "image/png");
    ContentParts::from_iter([ImagePart::new(source).into()])
}

/// Has the limit that every tool has.
#[tool]
async fn everything(bytes: u32) -> String {
    "e".repeat(bytes as usize)
}

/// Helps customers.
#[agent(tools = [refund, boil, orders, picture, everything])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>, model: &Model, _alive: &Alive) -> Result<(), Stop> {
    run.chat(model).await
}

/// Returns the events before and after the time has passed.
fn run(model: ScriptedModel, alive: &Alive, timer: Option<&ManualTimer>, time: Duration) -> [Vec<Event>; 2] {
    let mut options = RunOptions::default().ids(Ids::fixed("test"));
    if let Some(timer) = timer {
        options = options.timer(timer.clone());
    }
    let mut stream =
        start(Arc::new(Desk::new(model.into(), alive.clone())), testing::input("Refund me."), options);
    let mut read = || {
        let mut events = Vec::new();
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some(event)) = stream.poll_next_unpin(&mut context) {
            events.push(event);
        }
        events
    };
    let before = read();
    if let Some(timer) = timer {
        timer.advance(time);
    }
    [before, read()]
}

fn at_once(replies: impl IntoIterator<Item = Reply>) -> String {
    let model = ScriptedModel::new(replies.into_iter().collect::<Vec<_>>());
    let [before, _] = run(model, &Alive::default(), Some(&ManualTimer::new()), Duration::ZERO);
    testing::lines(&before)
}

#[test]
fn a_call_that_takes_too_long_is_answered_and_its_future_dropped() {
    let model = || ScriptedModel::new([Reply::call("refund", json!({})), Reply::text("Later.")]);
    for (seconds, ends) in [(9, false), (10, true)] {
        let alive = Alive::default();
        let timer = ManualTimer::new();
        let [before, after] = run(model(), &alive, Some(&timer), Duration::from_secs(seconds));
        assert!(testing::lines(&before).contains("TOOL_CALL_END"), "{}", testing::lines(&before));
        assert!(!testing::lines(&before).contains("TOOL_CALL_RESULT"), "{}", testing::lines(&before));
        let after = testing::lines(&after);
        let text = r#"the tool `refund` took longer than 10s, and was stopped"#;
        assert_eq!(after.contains(text), ends, "{after}");
        assert_eq!(after.contains("Later."), ends, "{after}");
        assert_eq!(alive.0.load(Ordering::Relaxed), 0, "the run is over, or dropped");
    }
}

#[test]
fn a_future_is_dropped_before_the_answer_is_sent() {
    let alive = Alive::default();
    let timer = ManualTimer::new();
    let model: ScriptedModel = ScriptedModel::new([Reply::call("refund", json!({})), Reply::text("Later.")]);
    let options = RunOptions::default().timer(timer.clone());
    let mut stream =
        start(Arc::new(Desk::new(model.into(), alive.clone())), testing::input("Refund me."), options);
    let mut context = Context::from_waker(Waker::noop());
    while stream.poll_next_unpin(&mut context).is_ready() {}
    assert_eq!(alive.0.load(Ordering::Relaxed), 1);
    timer.advance(Duration::from_secs(10));
    assert!(stream.poll_next_unpin(&mut context).is_ready());
    assert_eq!(alive.0.load(Ordering::Relaxed), 0);
}

#[test]
fn a_call_in_time_has_its_own_result_or_error() {
    let lines = at_once([
        Reply::call("boil", json!({})),
        Reply::call("refund", json!({ "hangs": false })),
        Reply::text("So."),
    ]);
    assert!(lines.contains("hot") && lines.contains("sold out"), "{lines}");
}

#[test]
fn without_a_timer_a_tool_with_a_timeout_does_not_run() {
    let alive = Alive::default();
    let model = ScriptedModel::new([Reply::call("refund", json!({ "hangs": false })), Reply::text("So.")]);
    let [before, _] = run(model, &alive, None, Duration::ZERO);
    let lines = testing::lines(&before);
    assert!(lines.contains("did not run: a timeout needs a timer") && !lines.contains("sold out"), "{lines}");
}

/// Calls by hand.
#[agent(tools = [boil, orders])]
async fn hand(run: &mut Run<Hand>, _: Input<Hand>) -> Result<(), Stop> {
    let heat: Result<&str, TimeoutError> = run.call(boil {}).await?.run().await;
    run.say(heat?).await;
    let call = run.call(boil {}).await?;
    call.result(Ok("warm")).await?;
    let returned = run.call(orders { count: 30 }).await?.run().await;
    assert_eq!(returned.len(), 30, "the function's value is the agent's");
    let refused = run.call(orders { count: 1 }).await?.result("o".repeat(21)).await;
    run.say(refused.expect_err("21 bytes").to_string()).await;
    Ok(())
}

#[test]
fn a_call_by_hand_returns_the_error_of_the_limit() {
    let events = futures::executor::block_on(testing::run(Hand::new(), testing::input("Boil.")));
    let lines = testing::lines(&events);
    assert_eq!(testing::texts(&events)[0], "hot", "{lines}");
    assert_eq!(
        testing::texts(&events)[1],
        "the result of tool `orders` has 21 bytes, more than its limit of 20"
    );
    assert!(lines.contains("warm") && lines.contains("has 30 bytes, more than its limit of 20"), "{lines}");
}

#[test]
fn a_result_above_the_limit_is_refused_and_not_cut() {
    let lines = at_once([
        Reply::call("orders", json!({ "count": 20 })),
        Reply::call("orders", json!({ "count": 21 })),
        Reply::text("So."),
    ]);
    assert!(lines.contains(&"o".repeat(20)), "{lines}");
    assert!(!lines.contains(&"o".repeat(21)), "{lines}");
    let refused = "the result of the tool `orders` has 21 bytes, more than its limit of 20: ask for less";
    assert!(lines.contains(refused), "{lines}");
}

#[test]
fn the_data_of_a_picture_counts() {
    let lines = at_once([
        Reply::call("picture", json!({ "bytes": 20 })),
        Reply::call("picture", json!({ "bytes": 400 })),
        Reply::text("So."),
    ]);
    assert_eq!(lines.matches("more than its limit of 200").count(), 1, "{lines}");
}

#[test]
fn every_tool_has_a_limit() {
    for (bytes, refused) in [(1024 * 1024, false), (1024 * 1024 + 1, true)] {
        let lines = at_once([Reply::call("everything", json!({ "bytes": bytes })), Reply::text("So.")]);
        assert_eq!(lines.contains("more than its limit of 1048576"), refused, "{bytes}");
    }
}
