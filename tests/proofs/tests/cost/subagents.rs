//! The memory of subagents: they share the input of their run.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Context, RunAgentInput, Tool};
use agui_runtime::{RunOptions, start};
use futures::StreamExt;
use futures::executor::block_on;
use futures::future::join_all;
use serde_json::json;
use tokio::sync::Barrier;

/// Waits for all others with its input in hand.
#[agent]
async fn helper(run: &mut Run<Helper>, input: Input<Helper>, all: &Arc<Barrier>) -> Result<usize, Stop> {
    run.say("waiting").await;
    all.wait().await;
    Ok(input.tools().len() + input.context().len())
}

/// Delegates to many at once.
#[agent]
async fn boss(
    run: &mut Run<Boss>,
    input: Input<Boss>,
    helper: &Arc<Helper>,
    helpers: &usize,
) -> Result<usize, Stop> {
    let work = (0..*helpers).map(|_| run.delegate("helper", helper, []));
    let found = join_all(work).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(found.into_iter().sum::<usize>() + input.tools().len())
}

/// The greatest number of bytes at one time in a run with `helpers` subagents.
fn peak(input: &RunAgentInput, helpers: usize) -> usize {
    let helper = Arc::new(Helper::new(Arc::new(Barrier::new(helpers))));
    let (boss, input) = (Arc::new(Boss::new(helper, helpers)), input.clone());
    let counted = allocation_counter::measure(|| {
        let options = RunOptions::default().room(usize::MAX);
        let events: Vec<_> = block_on(start(boss, input, options).collect());
        let last = serde_json::to_value(events.last().unwrap()).unwrap();
        assert_eq!(last.get("result"), Some(&json!(1_000 * (2 * helpers + 1))), "{last}");
    });
    counted.bytes_max as usize
}

#[test]
fn subagents_share_the_tools_and_the_context_of_their_run() {
    let text = "x".repeat(1_000);
    let tools = (0..1_000).map(|number| Tool::new(format!("tool-{number}"), text.as_str()));
    let context = (0..1_000).map(|number| Context::new(format!("fact-{number}"), text.as_str()));
    let input = RunAgentInput::new("t", "r", [])
        .with_protocol_version("1.0")
        .with_tools(tools.collect::<Vec<_>>())
        .with_context(context.collect::<Vec<_>>());
    let (few, many) = (peak(&input, 1), peak(&input, 41));
    // Their events are in memory as well.
    assert!(many - few < 40 * 10_000, "{few} bytes with one, {many} with 41");
}
