//! The limit of time ends what is silent, too: a provider, and a tool.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use agui_runtime::model::{
    ChatModel, KeepLast, Model, ModelStream, Prompt, Reply, ReplyDelta, ScriptedModel, Summarize,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, Event, UserMessage};
use agui_runtime::testing::{self, ManualTimer};
use agui_runtime::{Ids, RunOptions, start};
use futures::stream::StreamExt as _;

/// Says a word, and nothing more.
struct Silent;

impl ChatModel for Silent {
    fn provider(&self) -> &str {
        "silent"
    }

    fn name(&self) -> &str {
        "silent"
    }

    fn respond<'a>(&'a self, _: &'a Prompt) -> ModelStream<'a> {
        futures::stream::iter([Ok(ReplyDelta::Text("Hm".into()))]).chain(futures::stream::pending()).boxed()
    }
}

/// Never comes back.
#[tool]
async fn fetch() -> u32 {
    futures::future::pending().await
}

/// Has ten seconds.
#[agent(tools = [fetch])]
async fn hasty(run: &mut Run<Hasty>, _: Input<Hasty>, model: &Model) -> Result<(), Stop> {
    run.chat(model).max_time(Duration::from_secs(10)).await
}

/// Summarises before it answers.
#[agent]
async fn thorough(run: &mut Run<Thorough>, _: Input<Thorough>, model: &Model) -> Result<(), Stop> {
    run.chat(model).shorten(Summarize::after(0)).max_time(Duration::from_secs(10)).await
}

/// Has no limit.
#[agent]
async fn patient(run: &mut Run<Patient>, _: Input<Patient>, model: &Model) -> Result<(), Stop> {
    run.chat(model).shorten(KeepLast(9)).await
}

/// Returns the events before and after the time has passed.
fn run<A: agui_runtime::Agent>(
    agent: A,
    timer: Option<&ManualTimer>,
    pass: Duration,
) -> (Vec<Event>, Vec<Event>) {
    let options = RunOptions::default().ids(Ids::fixed("test"));
    let options = match timer {
        Some(timer) => options.timer(timer.clone()),
        None => options,
    };
    let mut input = testing::input("Hi");
    input.messages.push(AssistantMessage::new("2").with_content("Hello.").into());
    input.messages.push(UserMessage::new("3", "And?").into());
    let mut events = start(Arc::new(agent), input, options);
    let mut context = Context::from_waker(Waker::noop());
    let mut read = || {
        let mut read = Vec::new();
        while let Poll::Ready(Some(event)) = events.poll_next_unpin(&mut context) {
            read.push(event);
        }
        read
    };
    let before = read();
    if let Some(timer) = timer {
        timer.advance(pass);
    }
    (before, read())
}

#[test]
fn a_silent_provider_is_left_in_time_and_its_text_is_not_whole() {
    for (seconds, ends) in [(9, false), (10, true)] {
        let (before, after) =
            run(Hasty::new(Silent.into()), Some(&ManualTimer::new()), Duration::from_secs(seconds));
        assert!(testing::lines(&before).contains("Hm"), "{}", testing::lines(&before));
        let after = testing::lines(&after);
        assert_eq!(after.contains(r#"code="max_time""#), ends, "{after}");
        assert!(!after.contains("TEXT_MESSAGE_END"), "{after}");
    }
}

#[test]
fn a_tool_that_never_comes_back_is_left_in_time() {
    let model = ScriptedModel::new([Reply::call("fetch", "{}")]);
    let (before, after) = run(Hasty::new(model.into()), Some(&ManualTimer::new()), Duration::from_secs(10));
    assert!(testing::lines(&before).contains("TOOL_CALL_END"), "{}", testing::lines(&before));
    let after = testing::lines(&after);
    assert!(after.contains(r#"code="max_time""#) && after.contains("abandoned"), "{after}");
}

#[test]
fn a_summary_that_never_comes_is_left_in_time() {
    let (before, after) =
        run(Thorough::new(Silent.into()), Some(&ManualTimer::new()), Duration::from_secs(10));
    assert_eq!(before.len(), 1, "{}", testing::lines(&before));
    assert!(testing::lines(&after).contains(r#"code="max_time""#), "{}", testing::lines(&after));
}

/// A limit that nothing enforces must not be taken for one.
#[test]
fn a_limit_of_time_without_a_timer_ends_the_run() {
    let model = Arc::new(ScriptedModel::new([Reply::text("Hello.")]));
    let (before, _) = run(Hasty::new(Arc::clone(&model).into()), None, Duration::ZERO);
    assert!(testing::lines(&before).contains(r#"code="no_timer""#), "{}", testing::lines(&before));
    assert!(model.prompts().is_empty());
    let (before, _) =
        run(Patient::new(ScriptedModel::new([Reply::text("Hello.")]).into()), None, Duration::ZERO);
    assert_eq!(testing::texts(&before), ["Hello."]);
}
