//! The stream of a handler, which no run of this crate made: a panic in it ends it with RUN_ERROR, and a legacy client gets only
//! deltas of the state that apply.
//!
//! The runtime of CopilotKit folds the state events of a run from `{}`, and its process ends at a delta that does not
//! apply. A run of this crate sends a snapshot first, and deltas that apply. For other streams the client's state is
//! known from the first snapshot on.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};

use super::bounded::Stoppable;
use crate::agent::{MAX_LOGGED, discard, panic_text};
use crate::kernel::{Held, Peer};
use crate::protocol::{Effect, Event, RunErrorEvent, RunId, StateDeltaEvent};
use crate::quoted::{quoted, quoted_up_to};

/// The events of a handler's stream. The body adds the ends before an error ([`Unended`]).
///
/// [`Unended`]: super::unended::Unended
pub(super) struct Foreign {
    events: BoxStream<'static, Event>,
    /// `None` for a client that reads every delta.
    state: Option<ClientState>,
    run: Option<RunId>,
    /// True after the last event of a run: no error may follow it.
    is_over: bool,
}

/// The state of a legacy client in one run.
#[derive(Default)]
struct ClientState {
    held: Held,
    /// True if a delta was left out, and the log says so.
    is_reported: bool,
}

impl ClientState {
    /// Returns false for an event that is to be left out: a delta that does not apply.
    fn admits(&mut self, event: &Event) -> bool {
        match event {
            Event::RunStarted(_) => *self = Self::default(),
            Event::StateSnapshot(snapshot) => {
                // No delta applies to a state that cannot be read.
                self.held.document = Some(snapshot.snapshot.value().map(Cow::into_owned).unwrap_or_default());
            }
            Event::StateDelta(delta) => {
                let Err(reason) = self.apply(delta) else { return true };
                if !std::mem::replace(&mut self.is_reported, true) {
                    tracing::warn!(
                        reason = %quoted_up_to(MAX_LOGGED, reason),
                        "STATE_DELTA left out: the client is older than 1.0, and its process may end at a delta that does not apply"
                    );
                }
                return false;
            }
            _ => {}
        }
        true
    }

    fn apply(&mut self, delta: &StateDeltaEvent) -> Result<(), String> {
        if self.held.document.is_none() {
            return Err("its run has no STATE_SNAPSHOT".to_owned());
        }
        let operations = delta.delta.operations().map_err(|error| error.to_string())?;
        self.held.patch(&operations).map_err(|error| error.to_string())
    }
}

impl Foreign {
    pub(super) fn new(events: impl Stream<Item = Event> + Send + 'static, peer: Peer) -> Self {
        let state = (peer == Peer::Legacy).then(ClientState::default);
        Self { events: events.boxed(), state, run: None, is_over: false }
    }

    /// Replaces the rest of the stream by an error, unless the run is over.
    fn end(&mut self, message: String, code: &str) {
        let error = (!self.is_over).then(|| RunErrorEvent::new(message).with_code(code).into());
        let last = stream::iter(error).boxed();
        // Its destructor is foreign code.
        discard(std::mem::replace(&mut self.events, last));
    }

    fn learn(&mut self, event: &Event) {
        if let Event::RunStarted(started) = event {
            self.run = Some(started.run_id.clone());
            self.is_over = false;
        }
        self.is_over |= matches!(event.event_type().effect(), Effect::FinishRun | Effect::FailRun);
    }
}

impl Stream for Foreign {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        loop {
            let polled = catch_unwind(AssertUnwindSafe(|| self.events.poll_next_unpin(cx)));
            match polled {
                Ok(Poll::Ready(Some(event))) => {
                    self.learn(&event);
                    if self.state.as_mut().is_none_or(|state| state.admits(&event)) {
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

impl Stoppable for Foreign {
    fn fail(&mut self, message: String, code: &str) {
        self.end(message, code);
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        discard(std::mem::replace(&mut self.events, stream::empty().boxed()));
    }
}
