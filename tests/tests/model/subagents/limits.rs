//! The limits of a chat count its subagents, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::manifest::Manifest;
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::TokenUsage;
use agui_runtime::testing::{self, RunEnd};
use futures::StreamExt;
use serde_json::json;

use super::{Thread, results};

/// Works on a part.
#[agent]
async fn worker(run: &mut Run<Worker>, _: Input<Worker>, model: &Model) -> Result<String, Stop> {
    run.chat(model).text().await
}

struct Limit {
    turns: u32,
    calls: u32,
    tokens: u64,
}

/// Has others work.
#[agent(tools = [Worker])]
async fn lead(
    run: &mut Run<Lead>,
    _: Input<Lead>,
    model: &Model,
    limit: &Limit,
    worker: &Arc<Worker>,
) -> Result<(), Stop> {
    run.chat(model).max_turns(limit.turns).max_calls(limit.calls).max_tokens(limit.tokens).await
}

/// The code of the run's end, and the number of turns of the worker's model.
fn led(limit: Limit, worker: impl Into<Vec<Reply>>) -> (String, usize) {
    let of_worker = Arc::new(ScriptedModel::new(worker));
    let work = |number: u32| Reply::call("worker", json!({ "task": number.to_string() }));
    let model = ScriptedModel::new([work(1), work(2), work(3), Reply::text("Done.")]);
    let worker = Arc::new(Worker::new(Arc::clone(&of_worker).into()));
    let events = Thread::new(Lead::new(model.into(), limit, worker), "Go.").run();
    let code = match testing::end(&events) {
        RunEnd::Failed { code, .. } => code.unwrap_or_default().to_owned(),
        end => format!("{end:?}"),
    };
    (code, of_worker.prompts().len())
}

const NONE: Limit = Limit { turns: 100, calls: 100, tokens: 1_000_000 };

#[test]
fn turns_calls_and_tokens_of_subagents_count_in_the_limits_of_the_parent() {
    let unknown = || Reply::call("unknown", "{}");
    // Two turns of the lead and three of the worker.
    let turns = led(Limit { turns: 4, ..NONE }, [unknown(), Reply::text("1"), Reply::text("2")]);
    assert_eq!(turns, ("max_turns".to_owned(), 2));
    let calls = led(Limit { calls: 3, ..NONE }, [unknown(), unknown(), Reply::text("1"), Reply::text("2")]);
    assert_eq!((calls.0.as_str(), calls.1), ("max_calls", 3));
    let spent = TokenUsage::new().with_total_tokens(60_u32);
    let tokens = led(
        Limit { tokens: 100, ..NONE },
        ["1", "2", "3"].map(|text| Reply::text(text).usage(spent.clone())),
    );
    assert_eq!(tokens, ("max_tokens".to_owned(), 2));
    let fits = led(NONE, ["1", "2", "3"].map(|text| Reply::text(text).usage(spent.clone())));
    assert!(fits.0.starts_with("Success"), "{fits:?}");
}

/// Asks the other.
#[agent(tools = [Second])]
async fn first(
    run: &mut Run<First>,
    _: Input<First>,
    model: &Model,
    second: &Arc<Second>,
) -> Result<String, Stop> {
    run.chat(model).text().await
}

/// Asks the first. The request brings it, because neither can hold the other.
#[agent(tools = [First])]
async fn second(
    run: &mut Run<Second>,
    _: Input<Second>,
    model: &Model,
    #[request] first: &Arc<First>,
) -> Result<String, Stop> {
    run.chat(model).text().await
}

#[test]
fn a_cycle_of_agents_ends_by_depth() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let of_first = ScriptedModel::from_fn(move |prompt| {
        counted.fetch_add(1, Ordering::SeqCst);
        match prompt.last_results().last() {
            None => Reply::call("second", json!({ "task": "You do it." })),
            Some(answer) => Reply::text(answer.content.text()),
        }
    });
    let of_second = ScriptedModel::from_fn(|prompt| match prompt.last_results().last() {
        None => Reply::call("first", json!({ "task": "No, you." })),
        Some(answer) => Reply::text(answer.content.text()),
    });
    let second = Arc::new(Second::new(Arc::new(of_second).into()));
    let first = Arc::new(First::new(Arc::new(of_first).into(), second));
    let options = testing::options().request(Arc::clone(&first));
    let events = agui_runtime::start(first, testing::input("Go."), options);
    let events: Vec<_> = futures::executor::block_on(events.collect());
    let started = testing::lines(&events).matches("SUBAGENT_STARTED").count();
    assert_eq!(started, 3, "{}", testing::lines(&events));
    let lines = testing::lines(&events);
    assert!(lines.contains(r#"code="max_depth""#), "{lines}");
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{lines}");
    assert!(results(&events).iter().any(|(_, text)| text.contains("more than 3 levels deep")), "{lines}");
    assert_eq!(asked.load(Ordering::SeqCst), 4, "two turns at each of its two levels");
}

#[test]
fn a_cycle_of_agents_has_a_manifest() {
    let manifest = Manifest::build("shop", "0.1.0", &[First::source(), Second::source()]).unwrap();
    let tools =
        |agent: usize| manifest.agents[agent].tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>();
    assert_eq!((tools(0), tools(1)), (vec!["second"], vec!["first"]));
}

/// Splits its work, and does the parts itself.
#[agent(tools = [Splitter])]
async fn splitter(run: &mut Run<Splitter>, _: Input<Splitter>, model: &Model) -> Result<String, Stop> {
    run.chat(model).max_depth(1).text().await
}

#[test]
fn an_agent_may_call_itself_within_the_depth() {
    let model = ScriptedModel::from_fn(|prompt| match prompt.last_results().last() {
        None if prompt.last_user_text().as_deref() == Some("half") => Reply::text("a half"),
        None => Reply::call("splitter", json!({ "task": "half" })),
        Some(answer) => Reply::text(format!("two times {}", answer.content.text())),
    });
    let events = Thread::new(Splitter::new(Arc::new(model).into()), "Go.").run();
    assert_eq!(testing::texts(&events), ["a half", "two times a half"], "{}", testing::lines(&events));
}

/// Asks its own model once, and then another agent.
#[agent]
async fn twice(
    run: &mut Run<Twice>,
    _: Input<Twice>,
    model: &Model,
    other: &Arc<super::Researcher>,
) -> Result<String, Stop> {
    run.chat(model).max_turns(1).text().await?;
    run.delegate("other", other, []).await
}

#[test]
fn a_chat_that_has_ended_limits_no_later_agent() {
    let other = super::Researcher::new(ScriptedModel::new([Reply::text("Read.")]).into(), Arc::default());
    let twice = Twice::new(ScriptedModel::new([Reply::text("First.")]).into(), Arc::new(other));
    let events = futures::executor::block_on(testing::run(twice, testing::input("Go.")));
    assert_eq!(testing::texts(&events), ["First.", "Read."], "{}", testing::lines(&events));
}
