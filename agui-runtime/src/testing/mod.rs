//! Runs an agent in a test: to a list of events, with ids that are the same every time.
//!
//! ```
//! use agui_runtime::prelude::*;
//! use agui_runtime::testing::{self, End};
//!
//! /// Repeats what it hears.
//! #[agent]
//! async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<u32, Stop> {
//!     let heard = input.user_text().unwrap_or_default();
//!     run.say(heard.clone()).await;
//!     Ok(heard.len() as u32)
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let events = testing::run(Parrot::new(), testing::input("rice")).await;
//!
//! agui_runtime::assert_events!(
//!     events,
//!     [RunStarted, TextMessageStart, TextMessageContent, TextMessageEnd, RunFinished]
//! );
//! assert_eq!(testing::texts(&events), ["rice"]);
//! assert!(matches!(testing::end(&events), End::Success { result: Some(length), .. } if *length == 4));
//! assert_eq!(
//!     testing::lines(&events[1..4]),
//!     r#"TEXT_MESSAGE_START messageId="test-message-1" role="assistant"
//! TEXT_MESSAGE_CONTENT messageId="test-message-1" delta="rice"
//! TEXT_MESSAGE_END messageId="test-message-1""#
//! );
//! # });
//! ```

mod cancel;
mod read;
mod recording;
#[cfg(feature = "schema-testing")]
mod schema;

use std::sync::Arc;

use futures::StreamExt;

pub use cancel::{Cancelled, cancel_after};
#[doc(hidden)]
pub use read::assert_types;
pub use read::{End, end, lines, texts, types};
pub use recording::Recording;
#[cfg(feature = "schema-testing")]
pub use schema::{SchemaMismatch, assert_schema_matches, check_schema};

pub use crate::assert_events;
use crate::protocol::{Event, PROTOCOL_VERSION, RunAgentInput, UserMessage};
use crate::{Agent, Ids, InterruptKey, RunOptions, start};

/// Runs an agent to its end and gives every event, RUN_STARTED and the terminal event included.
///
/// Ids are `test-message-1`, `test-call-2` and so on, counted in one sequence; there are no timestamps.
///
/// An input without a protocol version is one of a client from before AG-UI 1.0: it gets no `outcome` in RUN_FINISHED, no
/// `pendingToolCallIds` and nothing else that only 1.0 knows. So declare one, as [`input`] does, unless that is what you
/// test.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::{Event, RunAgentInput, UserMessage};
///
/// /// Repeats what it hears.
/// #[agent]
/// async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
///     run.say(input.user_text().unwrap_or_default()).await;
///     Ok(())
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let messages = [UserMessage::new("1", "rice").into()];
/// let input = RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0");
/// let events = agui_runtime::testing::run(Parrot::new(), input).await;
///
/// assert!(events.iter().any(|event| matches!(event, Event::TextMessageContent(text) if text.delta == "rice")));
/// assert!(matches!(events.last(), Some(Event::RunFinished(finished)) if finished.outcome.is_some()));
/// # });
/// ```
pub async fn run<A: Agent>(agent: A, input: RunAgentInput) -> Vec<Event> {
    run_with(agent, input, options()).await
}

/// The same with options of your own, best made from [`options`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::{Clock, Ids, testing};
///
/// # async fn example(chef: impl Agent) {
/// let options = testing::options().ids(Ids::fixed("second")).clock(Clock::fixed(1_700_000_000_000, 1));
/// let events = testing::run_with(chef, testing::input("Again, please."), options).await;
/// # }
/// ```
pub async fn run_with<A: Agent>(agent: A, input: RunAgentInput, options: RunOptions) -> Vec<Event> {
    start(Arc::new(agent), input, options).collect().await
}

/// The options [`run`] uses: ids that begin with `test`, no timestamps. Interrupts are signed with a key that is the same each time and
/// known to everyone: so an input may answer what an earlier run of the test asked, under the id that it was asked with. A test that
/// makes ids up needs [`RunOptions::unsigned_interrupts`].
///
/// ```
/// let options = agui_runtime::testing::options().room(1); // the slowest reader
/// ```
#[must_use]
pub fn options() -> RunOptions {
    let options = RunOptions::default().ids(Ids::fixed("test"));
    match InterruptKey::for_tests() {
        Ok(key) => options.interrupt_key(key),
        Err(_) => options,
    }
}

/// The input of a client that speaks AG-UI 1.0: thread `thread`, run `run`, one message of a person.
///
/// ```
/// let input = agui_runtime::testing::input("One rice, please.");
/// assert_eq!(input.messages.len(), 1);
/// ```
#[must_use]
pub fn input(text: &str) -> RunAgentInput {
    RunAgentInput::new("thread", "run", [UserMessage::new("user-1", text).into()])
        .with_protocol_version(PROTOCOL_VERSION)
}
