//! The escape hatch: events from a foreign stream, through the same kernel as all others.
//!
//! ```text
//! event ─▶ admission (what is never forwarded) ─▶ chunks (expanded)       ─▶ verifier ─▶ items ─▶ kernel
//!                                                                             └ mend (Repair) ┘
//! ```
//!
//! The verifier judges the foreign stream under its own ids; `items` has the slots and ids under which it goes out.

mod admission;
mod alias;
mod as_chunk;
mod authors;
mod calls;
mod chunk;
mod error;
mod feed;
mod items;
mod mend;
mod state;
#[cfg(test)]
mod tests;

use std::fmt;

pub use error::DynamicError;
pub use feed::FeedEvent;

use self::feed::ForeignStream;
use super::emitter::SpanGuard;
use super::{Emit, WriteFuture};
use crate::protocol::Event;

/// The treatment of a forwarded event that is out of order.
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
    /// Refuse the event with an error, and send nothing.
    Strict,
    /// Repair the event: open missing spans, close spans in the way, or drop the event. Dropped events are logged at debug level.
    Repair,
}

/// Forwards an event stream from elsewhere: a proxied agent, a recording, another library.
///
/// Created by [`Emit::dynamic`]. A `Dynamic` changes only messages, calls, steps and subagents that its own events open: ids that
/// the run already uses are replaced on the way. Dropping it closes all open spans, except calls without a result, which are left
/// to the user interface.
///
/// The following events are never forwarded, under either policy (an error in [`Policy::Strict`], dropped in [`Policy::Repair`]):
///
/// | event | why |
/// |---|---|
/// | RUN_STARTED, RUN_FINISHED, RUN_ERROR | the agent starts and ends the run: read them, and return the same result or error |
/// | MESSAGES_SNAPSHOT | the foreign stream does not know the conversation |
/// | STATE_SNAPSHOT, STATE_DELTA | only once the run's typed state has a baseline; before, they pass, and the typed state must then start with a snapshot |
/// | REASONING_ENCRYPTED_VALUE, ACTIVITY_DELTA about a message, call or activity that this stream did not create | it belongs to another stream |
///
/// For a legacy client, a STATE_DELTA that does not apply to the client's state is not forwarded either. The first applicable
/// delta follows a STATE_SNAPSHOT with that state, unless the stream sent one (see [`Peer`](crate::Peer)).
///
/// Everything else follows AG-UI 1.0 as strictly as this crate's own events ([`OrderStrictness::Producer`](crate::order::OrderStrictness)).
/// CUSTOM and RAW pass unchanged, whatever the agent declares.
///
/// The stream's subagents become subagents under the forwarding agent; an unannounced tag is kept. A call without a result, in the
/// stream or in the next input, ends the run as pending; a call to one of the input's own tools must not get a result here. Chunks
/// become START, CONTENT and END, unless [`pass_chunks`](Self::pass_chunks) is called.
///
/// ```
/// use agui_runtime::events::DynamicError;
/// use agui_runtime::{Emit, Policy, protocol::Event};
/// use futures::{Stream, StreamExt};
///
/// async fn forward(run: &Emit, mut events: impl Stream<Item = Event> + Unpin) -> Result<(), DynamicError> {
///     let mut foreign = run.dynamic(Policy::Repair);
///     while let Some(event) = events.next().await {
///         foreign.feed(event).await?;
///     }
///     Ok(())
/// }
///
/// # async fn example(run: &Emit, events: Vec<Event>) -> Result<(), DynamicError> {
/// forward(run, futures::stream::iter(events)).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "it forwards nothing until it is fed"]
pub struct Dynamic<'w> {
    scope: SpanGuard<'w>,
    stream: Box<ForeignStream>,
}

impl Emit {
    /// Forwards untyped events from another stream; see [`Dynamic`].
    pub fn dynamic(&self, policy: Policy) -> Dynamic<'_> {
        let scope = self.act(|kernel, author| kernel.open_scope(author, None));
        Dynamic {
            stream: Box::new(ForeignStream::new(policy, scope, self.input())),
            scope: SpanGuard::new(self, scope),
        }
    }
}

impl Dynamic<'_> {
    /// Sends chunks as chunks instead of expanding them. If another event was sent since a span's last chunk, the next chunk
    /// repeats id, name and role: the other event may have ended the span at the client, where the span then restarts under the
    /// same id.
    ///
    /// A START, CONTENT or END for a chunked span is an error in [`Policy::Strict`] ([`DynamicError::Mixed`]). In
    /// [`Policy::Repair`] the event is sent as a chunk, except an END, which is dropped.
    ///
    /// Two kinds of chunks are still expanded: chunks for calls to the input's tools, because a client acts on such a call at its
    /// end; and subagents' chunks for a legacy client, which cannot tell them apart.
    ///
    /// ```
    /// use agui_runtime::protocol::TextMessageChunkEvent;
    /// use agui_runtime::events::DynamicError;
    /// use agui_runtime::{Emit, Policy};
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

    /// Forwards one event when awaited. Fields set on the write replace the event's own.
    ///
    /// # Errors
    /// [`DynamicError`]; the event is not sent then, and the stream may go on. Never fails under [`Policy::Repair`]. A chunk may
    /// have closed the span before it.
    pub fn feed(&mut self, event: impl Into<Event>) -> WriteFuture<'_, FeedEvent<'_>> {
        WriteFuture::new(self.scope.emit(), FeedEvent::new(&mut self.stream, event.into()))
    }

    /// Closes all spans that the stream left open, at once, as dropping does.
    pub fn end(self) {
        drop(self);
    }
}

impl fmt::Debug for Dynamic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dynamic").field("policy", &self.stream.policy()).finish_non_exhaustive()
    }
}
