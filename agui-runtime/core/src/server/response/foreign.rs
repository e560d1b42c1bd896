//! A handler's own stream, which no run in this crate made: a panic ends the stream with RUN_ERROR, and legacy clients get only
//! state deltas that apply.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt};

use super::client_state::LegacyClientState;
use super::restriction::{VersionRestriction, remove_lone_types};
use crate::agent::{MAX_LOGGED, discard, panic_text};
use crate::kernel::Peer;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::protocol::{Event, EventEffect, NonNull, RunErrorEvent, RunId};
use crate::quoted::{quoted, quoted_up_to};
use crate::server::limits::bounded::StoppableStream;

/// Events from a handler's stream. The response body adds END events before an error (module `unended`).
pub(super) struct HandlerStream {
    events: BoxStream<'static, Event>,
    /// The version whose members the client reads.
    restriction: VersionRestriction,
    /// True once a type without a value was reported.
    has_lone_types: bool,
    /// `None` for a client that reads every delta.
    state: Option<LegacyClientState>,
    /// The event after an added snapshot.
    next: Option<Event>,
    run: Option<RunId>,
    /// True after a run's last event, which no error may follow.
    is_over: bool,
}

impl HandlerStream {
    /// Returns the stream for a client that sent this state.
    pub(in crate::server) fn new(
        events: impl Stream<Item = Event> + Send + 'static,
        peer: Peer,
        sent: Option<NonNull>,
        allowance: MemoryAllowance,
    ) -> Self {
        let state = (peer == Peer::Legacy).then(|| LegacyClientState::new(sent, allowance));
        Self {
            events: events.boxed(),
            restriction: VersionRestriction::new(peer.version()),
            has_lone_types: false,
            state,
            next: None,
            run: None,
            is_over: false,
        }
    }

    /// Replaces the stream's rest by an error, unless the run is over.
    fn end(&mut self, message: String, code: &str) {
        let error = (!self.is_over).then(|| RunErrorEvent::new(message).with_code(code).into());
        let last = stream::iter(error).boxed();
        // Its destructor is foreign code.
        discard(std::mem::replace(&mut self.events, last));
    }

    /// Removes what no client may get, and what this client's version does not have. The log has each once for the stream.
    /// Returns false for an event that the version does not have.
    fn restrict(&mut self, event: &mut Event) -> bool {
        let types = remove_lone_types(event);
        if types > 0 && !std::mem::replace(&mut self.has_lone_types, true) {
            tracing::warn!(
                types,
                "a handler's messages have types without encrypted values, which are left out"
            );
        }
        self.restriction.apply(event)
    }

    fn learn(&mut self, event: &Event) {
        if let Event::RunStarted(started) = event {
            self.run = Some(started.run_id.clone());
            self.is_over = false;
        }
        self.is_over |= matches!(event.event_type().effect(), EventEffect::FinishRun | EventEffect::FailRun);
    }
}

impl Stream for HandlerStream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if let Some(event) = self.next.take() {
            return Poll::Ready(Some(event));
        }
        loop {
            let polled = catch_unwind(AssertUnwindSafe(|| self.events.poll_next_unpin(cx)));
            match polled {
                Ok(Poll::Ready(Some(mut event))) => {
                    self.learn(&event);
                    if !self.restrict(&mut event) {
                        continue;
                    }
                    let Some(state) = &mut self.state else { return Poll::Ready(Some(event)) };
                    let (first, second) = match state.admit(event) {
                        [None, event] => (event, None),
                        [snapshot, event] => (snapshot, event),
                    };
                    self.next = second;
                    if let Some(event) = first {
                        return Poll::Ready(Some(event));
                    }
                }
                Ok(polled) => return polled,
                Err(panic) => {
                    let run =
                        self.run.as_ref().map(|run| format!(" (run {})", quoted(run))).unwrap_or_default();
                    tracing::error!(panic = %quoted_up_to(MAX_LOGGED, panic_text(&*panic)), "the stream of a handler panicked{run}");
                    discard(panic);
                    self.end(format!("the agent panicked{run}"), "panic");
                }
            }
        }
    }
}

impl StoppableStream for HandlerStream {
    fn fail(&mut self, message: String, code: &str) {
        self.end(message, code);
    }
}

impl Drop for HandlerStream {
    fn drop(&mut self) {
        discard(std::mem::replace(&mut self.events, stream::empty().boxed()));
    }
}
