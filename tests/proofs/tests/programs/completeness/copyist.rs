//! The program for a stream: one call of a typed guard for each event.

use agui_runtime::events::EventOf;
use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::*;
use agui_runtime::tools::{OpenPhase, ReadyPhase, ToolOf};
use agui_runtime::{Call, FinishedRun, TextMessage};
use schemars::JsonSchema;
use serde::Serialize;

use super::stream::{Letter, piece, question_about};
use crate::children::source;

/// Looks something up.
#[tool]
async fn search() -> u32 {
    2
}

/// Asks the person.
#[tool(frontend)]
async fn question() -> bool;

/// Rings.
#[derive(CustomEvent, Serialize, JsonSchema)]
pub(super) struct Ding {}

impl ToolOf<Copyist> for search {}
impl ToolOf<Copyist> for question {}
impl EventOf<Copyist> for Ding {}

/// Writes the given events, with typed guards.
pub(super) struct Copyist(pub(super) Vec<Letter>);

enum Held<'w> {
    Backend(Call<'w, Copyist, search, OpenPhase>, usize),
    Called(Call<'w, Copyist, search, ReadyPhase>),
    Frontend(Call<'w, Copyist, question, OpenPhase>, usize),
    Gone,
}

impl Copyist {
    async fn copy(&self, run: &Run<Self>) -> Result<(), Stop> {
        let mut texts: Vec<Option<TextMessage<'_>>> = Vec::new();
        let mut calls: Vec<Held<'_>> = Vec::new();
        let mut pending = Vec::new();
        for letter in &self.0 {
            match *letter {
                Letter::Text => texts.push(Some(run.message().await)),
                Letter::Content(text) => texts[text].as_mut().unwrap().push("word").await,
                Letter::End(text) => drop(texts[text].take().unwrap().end()),
                Letter::Backend => calls.push(Held::Backend(run.tool::<search>().await, 0)),
                Letter::Frontend => calls.push(Held::Frontend(run.tool::<question>().await, 0)),
                Letter::Arguments(call) => match &mut calls[call] {
                    Held::Backend(call, pieces) => {
                        *pieces += 1;
                        call.push(piece(*pieces)).await;
                    }
                    Held::Frontend(call, pieces) => {
                        *pieces += 1;
                        call.push(piece(*pieces)).await;
                    }
                    Held::Called(_) | Held::Gone => panic!("arguments after their end"),
                },
                Letter::CallEnd(number) => {
                    calls[number] = match std::mem::replace(&mut calls[number], Held::Gone) {
                        Held::Backend(call, _) => Held::Called(call.end()?),
                        Held::Frontend(call, _) => {
                            pending.push(call.end()?);
                            Held::Gone
                        }
                        Held::Called(_) | Held::Gone => panic!("ended twice"),
                    }
                }
                Letter::Result(number) => match std::mem::replace(&mut calls[number], Held::Gone) {
                    Held::Called(call) => call.result(2).await?,
                    _ => panic!("answered before its end, or twice"),
                },
                Letter::Custom => run.custom(Ding {}).await?,
                Letter::Succeeded if pending.is_empty() => return Ok(()),
                Letter::Succeeded => return Err(Stop::await_frontend(pending)),
                Letter::Interrupted => {
                    let called = calls.into_iter().filter_map(|held| match held {
                        Held::Called(call) => Some(call),
                        _ => None,
                    });
                    let stops =
                        called.enumerate().map(|(number, call)| call.interrupt(question_about(number)));
                    let stop = stops.reduce(Stop::and);
                    return Err(stop.unwrap_or_else(|| Stop::interrupt(question_about(0))));
                }
                Letter::Cancelled => return Err(Stop::cancelled()),
                Letter::Failed => return Err(Stop::error("no rice")),
            }
        }
        Ok(())
    }
}

impl Agent for Copyist {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        self.copy(run).await?;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        source("copyist")
    }
}
