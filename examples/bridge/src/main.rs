//! An agent of another framework behind an AG-UI agent: a Python program with a stream of its own, [`agent.py`](../agent.py). Its
//! items become events, which [`Dynamic`](agui_runtime::Dynamic) puts in order, whatever the program does. A client that leaves ends
//! the program.

mod process;
mod translate;

use agui_runtime::Policy;
use agui_runtime::prelude::*;
use process::{Process, Python};
use serde_json::Value;
use translate::Translation;

/// Lets the Python program answer.
#[agent]
async fn bridge(run: &mut Run<Bridge>, input: Input<Bridge>, python: &Python) -> Result<Option<Value>, Stop> {
    let question = input.user_text().unwrap_or_default();
    let mut process = Process::ask(python, &question).await?; // dropped with the run, and with it the program
    let mut translation = Translation::default();
    let mut foreign = run.dynamic(Policy::Repair);
    while let Some(item) = process.next().await? {
        for event in translation.events(&item) {
            foreign.feed(event).await?;
        }
    }
    foreign.end();
    Ok(translation.result)
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    agui_runtime::serve(Bridge::new(Python::from_env())).await
}
