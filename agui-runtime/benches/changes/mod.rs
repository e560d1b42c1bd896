//! Changes of a typed state as a run sends them: patches that are text already.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, RunAgentInput};
use agui_runtime::{RunOptions, State, start};
use futures::StreamExt;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq, Default)]
struct Pot {
    title: String,
    steps: Vec<Step>,
    log: Vec<String>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq, Default)]
struct Step {
    what: String,
    done: bool,
}

/// Cooks, step by step.
#[agent(state = Pot)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, changes: &usize) -> Result<(), Stop> {
    let _ = input;
    let steps = (0..9).map(|step| Step { what: format!("step {step}"), done: false }).collect();
    let pot = run.state().snapshot(&Pot { title: "Risotto".to_owned(), steps, log: Vec::new() }).await?;
    for index in 0..*changes {
        pot.update(|pot| {
            if let Some(step) = pot.steps.get_mut(index % 9) {
                step.done = !step.done;
            }
            pot.log.push(format!("stirred for {index} minutes"));
        })
        .await?;
    }
    Ok(())
}

/// `count` deltas of a run.
pub fn deltas(count: usize) -> Vec<Event> {
    let input = RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0");
    let events = start(Arc::new(Cook::new(count)), input, RunOptions::default());
    let deltas: Vec<Event> = block_on(events.collect::<Vec<_>>())
        .into_iter()
        .filter(|event| matches!(event, Event::StateDelta(delta) if delta.delta.as_text().is_some()))
        .collect();
    assert!(deltas.len() > count * 9 / 10, "{} deltas of {count}", deltas.len());
    deltas
}
