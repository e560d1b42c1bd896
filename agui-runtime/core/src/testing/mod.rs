//! Test harness: runs an agent and collects its events, with the same ids every time.
//!
//! ```
//! use agui_runtime::prelude::*;
//! use agui_runtime::testing::{self, RunEnd};
//!
//! /// Repeats the text of the user.
//! #[agent]
//! async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<u32, Stop> {
//!     let text = input.user_text().unwrap_or_default();
//!     run.say(text.clone()).await;
//!     Ok(text.len() as u32)
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
//! assert!(matches!(testing::end(&events), RunEnd::Success { result: Some(length), .. } if *length == 4));
//! assert_eq!(
//!     testing::lines(&events[1..4]),
//!     r#"TEXT_MESSAGE_START messageId="test-message-1" role="assistant"
//! TEXT_MESSAGE_CONTENT messageId="test-message-1" delta="rice"
//! TEXT_MESSAGE_END messageId="test-message-1""#
//! );
//! # });
//! ```

mod cancel;
mod private;
mod read;
mod recording;
#[cfg(test)]
pub(crate) mod sampled;
#[cfg(feature = "schema-testing")]
mod schema;
mod state_form;
mod timer;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt};

pub use cancel::{Cancelled, cancel_after};
pub use private::{assert_private, assert_private_text};
#[doc(hidden)]
pub use read::assert_types;
pub use read::{RunEnd, end, lines, texts, types};
pub use recording::Recording;
#[cfg(feature = "schema-testing")]
pub use schema::{SchemaMismatch, assert_schema_matches, check_schema};
pub use state_form::{assert_state_matches, check_state};
pub use timer::ManualTimer;

use crate::agent::{Agent, RunOptions, start};
pub use crate::assert_events;
use crate::kernel::Ids;
use crate::protocol::{Event, PROTOCOL_VERSION, RunAgentInput, UserMessage};

/// Runs an agent to its end and returns every event, including RUN_STARTED and the terminal event.
///
/// Ids are `test-message-1`, `test-call-2` and so on, counted in one sequence; there are no timestamps.
///
/// An input without a protocol version comes from a legacy client: such a client gets no
/// `outcome` in RUN_FINISHED, no `pendingToolCallIds` and nothing else that only 1.0 defines. So declare a
/// version, as [`input`] does, unless the test is about such a client.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::{Event, RunAgentInput, UserMessage};
///
/// /// Repeats the text of the user.
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
pub fn run<A: Agent>(agent: A, input: RunAgentInput) -> BoxFuture<'static, Vec<Event>> {
    run_with(agent, input, options())
}

/// Runs an agent like [`run`], with other options. Start from [`options`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::{Clock, testing};
///
/// /// Says hello.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>) -> Result<(), Stop> {
///     run.say("Hello!").await;
///     Ok(())
/// }
///
/// # fn main() {
/// # futures::executor::block_on(async {
/// let options = testing::options().clock(Clock::fixed(1_700_000_000_000, 1));
/// let events = testing::run_with(Greeter::new(), testing::input("Hi"), options).await;
/// assert!(events[0].timestamp().is_some());
/// # });
/// # }
/// ```
pub fn run_with<A: Agent>(
    agent: A,
    input: RunAgentInput,
    options: RunOptions,
) -> BoxFuture<'static, Vec<Event>> {
    // Not an `async fn`, of which the compiler reports a value that is no agent three times.
    async move { start(Arc::new(agent), input, options).collect().await }.boxed()
}

/// Returns the options that [`run`] uses: ids that begin with `test`, and no timestamps. Interrupts do not
/// expire and are signed with a fixed, public key. So an input may answer an interrupt of an earlier run of the
/// test under the id of that interrupt, any number of times. A test that invents interrupt ids needs
/// [`RunOptions::unsigned_interrupts`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
///
/// /// Says hello.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>) -> Result<(), Stop> {
///     run.say("Hello!").await;
///     Ok(())
/// }
///
/// # fn main() {
/// # futures::executor::block_on(async {
/// let slowest = testing::options().room(1); // the queue has room for one event
/// let events = testing::run_with(Greeter::new(), testing::input("Hi"), slowest).await;
/// assert_eq!(testing::texts(&events), ["Hello!"]);
/// # });
/// # }
/// ```
#[must_use]
pub fn options() -> RunOptions {
    let options = RunOptions::default().ids(Ids::fixed("test")).timer(ManualTimer::new());
    #[cfg(feature = "signed-interrupts")]
    let options = options.signed_for_tests();
    options
}

/// Returns the input of a client that speaks this crate's version: thread `thread`, run `run`, one user message.
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
