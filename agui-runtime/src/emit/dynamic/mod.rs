//! The escape hatch: events of somebody else's stream, through the same kernel as everything else.
//!
//! ```text
//! event ─▶ admission (what is never forwarded) ─▶ lanes (chunks → triads) ─▶ verifier ─▶ book ─▶ kernel
//!                                                                             └ mend (Repair) ┘
//! ```
//!
//! The verifier judges the foreign stream under its own ids; the book knows under which slots and ids it goes out.

mod admission;
mod alias;
mod authors;
mod book;
mod calls;
mod chunk_error;
mod error;
mod feed;
mod lanes;
mod mend;
mod pass;
mod piece;
mod state;

use std::fmt;

pub use chunk_error::ChunkError;
pub use error::DynamicError;
pub use feed::FeedEvent;

use self::feed::Stream;
use super::emitter::SpanGuard;
use super::{Do, Emit};
use crate::protocol::Event;

/// What becomes of an event of a forwarded stream that is out of order.
///
/// ```
/// use agui_runtime::{Emit, Policy};
///
/// # fn example(run: &Emit) {
/// let replica = run.dynamic(Policy::Strict); // a stream that is said to be right
/// let wild = run.dynamic(Policy::Repair); // one that is known not to be
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// It is refused with an error, and nothing is sent.
    Strict,
    /// It is made to fit: what it needs is opened, what it is in the way of is closed, or it is left out. What is left out
    /// is logged at the debug level.
    Repair,
}

/// Forwards a stream of events that comes from elsewhere: a proxied agent, a recording, another library.
///
/// Made by [`Emit::dynamic`]. It opens and closes what the events say, and can touch nothing it did not open: ids that
/// the run uses already are changed on the way, so typed messages, calls and steps are safe from it. Dropping it closes
/// what it left open, calls without a result excepted: those are left to the user interface.
///
/// What is never forwarded, under either policy (an error in [`Policy::Strict`], left out in [`Policy::Repair`]):
///
/// | event | why |
/// |---|---|
/// | RUN_STARTED, RUN_FINISHED, RUN_ERROR | the run is this agent's: read them, and return what they say |
/// | MESSAGES_SNAPSHOT | it would restate a conversation it does not know |
/// | STATE_SNAPSHOT, STATE_DELTA | only once the run's typed state has a baseline; before, they pass, and the typed state must then start with a snapshot |
/// | REASONING_ENCRYPTED_VALUE, ACTIVITY_DELTA of what this stream did not make | it is not its own |
///
/// To a client from before 1.0 a STATE_DELTA that does not apply to what the client holds is not forwarded either, and the first one
/// that is comes after a STATE_SNAPSHOT of that, unless the stream sent one (see [`Peer`](crate::Peer)).
///
/// Everything else follows AG-UI 1.0 as strictly as this crate holds its own events to it
/// ([`Strictness::Producer`](crate::order::Strictness)). CUSTOM and RAW pass as they are, whatever the agent declares.
///
/// Subagents of the stream are subagents of whoever speaks here; a tag nobody announced is kept. A call ends the run as
/// pending if nobody answers it, in the stream or in the next input; a call of one of the input's own tools may not be
/// answered here at all. Chunks become START, CONTENT and END, unless [`pass_chunks`](Self::pass_chunks) is asked for.
///
/// ```
/// use agui_runtime::{DynamicError, Emit, Policy, protocol::Event};
/// use futures::{Stream, StreamExt};
///
/// async fn forward(run: &Emit, mut events: impl Stream<Item = Event> + Unpin) -> Result<(), DynamicError> {
///     let mut foreign = run.dynamic(Policy::Repair);
///     while let Some(event) = events.next().await {
///         foreign.feed(event).await?;
///     }
///     Ok(())
/// }
/// ```
#[must_use = "it forwards nothing until it is fed"]
pub struct Dynamic<'w> {
    scope: SpanGuard<'w>,
    stream: Box<Stream>,
}

impl Emit {
    /// Forwards events of another stream, untyped; see [`Dynamic`].
    ///
    /// ```
    /// use agui_runtime::protocol::{CustomEvent, TextMessageContentEvent};
    /// use agui_runtime::{DynamicError, Emit, Policy};
    /// use serde_json::json;
    ///
    /// # async fn example(run: &Emit) -> Result<(), DynamicError> {
    /// let mut foreign = run.dynamic(Policy::Repair);
    /// foreign.feed(TextMessageContentEvent::new("m-1", "No START? ")).await?; // one is sent
    /// foreign.feed(CustomEvent::new("progress", json!(50))).await?;
    /// foreign.end(); // TEXT_MESSAGE_END
    /// # Ok(())
    /// # }
    /// ```
    pub fn dynamic(&self, policy: Policy) -> Dynamic<'_> {
        let scope = self.act(|kernel, author| kernel.open_scope(author, None));
        Dynamic {
            stream: Box::new(Stream::new(policy, scope, self.input())),
            scope: SpanGuard::new(self, scope),
        }
    }
}

impl Dynamic<'_> {
    /// Sends chunks as chunks instead of expanding them. Where anything else was said since the last chunk of an item, the
    /// next one says its id, name and role again: a typed event may have ended the item at the client, where it then starts
    /// anew under the same id.
    ///
    /// What is said in the explicit form of an item that goes out as chunks is an error in [`Policy::Strict`]
    /// ([`ChunkError::Mixed`]), and goes out as a chunk in [`Policy::Repair`]; an END is left out.
    ///
    /// Still expanded are calls of the input's tools, for a client acts on those when they end; and what subagents say to a client
    /// from before 1.0, which does not keep their chunks apart.
    ///
    /// ```
    /// use agui_runtime::protocol::TextMessageChunkEvent;
    /// use agui_runtime::{DynamicError, Emit, Policy};
    ///
    /// # async fn example(run: &Emit) -> Result<(), DynamicError> {
    /// let mut foreign = run.dynamic(Policy::Strict).pass_chunks();
    /// foreign.feed(TextMessageChunkEvent::new().with_message_id("m-1").with_delta("Hello")).await?;
    /// foreign.feed(TextMessageChunkEvent::new().with_delta(" again")).await?; // goes out as it is
    /// run.say("Aside.").await;
    /// foreign.feed(TextMessageChunkEvent::new().with_delta(", and again")).await?; // goes out with its id
    /// # Ok(())
    /// # }
    /// ```
    pub fn pass_chunks(mut self) -> Self {
        self.stream.pass_chunks();
        self
    }

    /// Forwards one event when awaited. Fields that are set on the write itself replace those of the event.
    ///
    /// # Errors
    /// [`DynamicError`]; the event is not sent then, and the stream may go on. Under [`Policy::Repair`] there are none.
    /// A chunk may have closed what was before it.
    ///
    /// ```
    /// use agui_runtime::order::OrderRule;
    /// use agui_runtime::protocol::TextMessageEndEvent;
    /// use agui_runtime::{DynamicError, Emit, Policy};
    ///
    /// # async fn example(run: &Emit) {
    /// let refused = run.dynamic(Policy::Strict).feed(TextMessageEndEvent::new("m-1")).await;
    /// assert!(matches!(refused, Err(DynamicError::Order(error)) if error.rule() == OrderRule::TextEndNotOpen));
    /// # }
    /// ```
    pub fn feed(&mut self, event: impl Into<Event>) -> Do<'_, FeedEvent<'_>> {
        Do::new(self.scope.emit(), FeedEvent::new(&mut self.stream, event.into()))
    }

    /// Closes what the stream left open, at once; dropping it does the same.
    pub fn end(self) {
        drop(self);
    }
}

impl fmt::Debug for Dynamic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dynamic").field("policy", &self.stream.policy()).finish_non_exhaustive()
    }
}
