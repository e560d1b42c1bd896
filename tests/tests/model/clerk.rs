//! An agent with backend and frontend tools, and runs of it over a script.

use std::sync::Arc;

use agui_runtime::model::{Chat, Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, RunAgentInput, Tool as ClientTool};
use agui_runtime::testing;

/// Looks up what an ingredient costs, in cents.
#[tool]
pub(crate) async fn price(name: String) -> Result<u32, Stop> {
    match name.as_str() {
        "rice" => Ok(180),
        "salt" => Ok(90),
        _ => Err(Stop::error(format!("there is no {name}"))),
    }
}

/// Asks the person whether that is all.
#[tool(frontend)]
pub(crate) async fn checkout(total: u32) -> bool;

type Setup = dyn for<'w> Fn(Chat<'w, Clerk>) -> Chat<'w, Clerk> + Send + Sync;

/// The settings of the chat.
pub(crate) struct Settings(pub(crate) Box<Setup>);

/// Sells things.
#[agent(tools = [price, checkout])]
pub(crate) async fn clerk(
    run: &mut Run<Clerk>,
    _: Input<Clerk>,
    model: &Model,
    settings: &Settings,
) -> Result<(), Stop> {
    (settings.0)(run.chat(model)).await
}

/// One run of the clerk.
pub(crate) struct Talk {
    pub(crate) events: Vec<Event>,
    pub(crate) prompts: Vec<Prompt>,
}

impl Talk {
    /// Returns the events, one a line, without the first.
    pub(crate) fn lines(&self) -> String {
        testing::lines(&self.events[1..])
    }

    /// Returns the messages that the model read in its last turn.
    pub(crate) fn last_read(&self) -> &[PromptMessage] {
        &self.prompts.last().expect("the model was asked").messages
    }

    /// Returns the last event in one line.
    pub(crate) fn end(&self) -> String {
        testing::lines(&self.events[self.events.len() - 1..])
    }
}

/// Returns an input whose client offers the frontend tool, and one of its own.
pub(crate) fn shop_input(text: &str) -> RunAgentInput {
    testing::input(text)
        .with_tools([ClientTool::new("checkout", "Asks."), ClientTool::new("search", "Searches the page.")])
}

pub(crate) fn talk(replies: impl Into<Vec<Reply>>) -> Talk {
    talk_with(replies, shop_input("Rice?"), |chat| chat)
}

pub(crate) fn talk_with(
    replies: impl Into<Vec<Reply>>,
    input: RunAgentInput,
    settings: impl for<'w> Fn(Chat<'w, Clerk>) -> Chat<'w, Clerk> + Send + Sync + 'static,
) -> Talk {
    talk_to(ScriptedModel::new(replies), input, settings)
}

pub(crate) fn talk_to(
    model: ScriptedModel,
    input: RunAgentInput,
    settings: impl for<'w> Fn(Chat<'w, Clerk>) -> Chat<'w, Clerk> + Send + Sync + 'static,
) -> Talk {
    let script = Arc::new(model);
    let agent = Clerk::new(Arc::clone(&script).into(), Settings(Box::new(settings)));
    let events = futures::executor::block_on(testing::run(agent, input));
    assert_legal(&events);
    Talk { events, prompts: script.prompts() }
}

/// Fails unless our verifier accepts the stream.
pub(crate) fn assert_legal(events: &[Event]) {
    let mut verifier = agui_runtime::order::OrderVerifier::new();
    for event in events {
        if let Err(violation) = verifier.check(event) {
            panic!("{violation}\n{}", testing::lines(events));
        }
    }
}
