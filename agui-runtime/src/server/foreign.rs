//! The stream of a handler, which no run of this crate made: a panic in it ends it with RUN_ERROR, and a legacy client gets only
//! deltas of the state that apply.
//!
//! The runtime of CopilotKit folds the state events of a run from `{}`, and its process ends at a delta that does not
//! apply. A run of this crate sends a snapshot first, and deltas that apply. For other streams the client's state is the
//! one that it sent, changed by the stream so far: the first delta of a run gets it as a snapshot before it.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};

use super::bounded::Stoppable;
use crate::agent::{MAX_LOGGED, discard, panic_text};
use crate::kernel::{Held, Peer};
use crate::protocol::allowance::Allowance;
use crate::protocol::{
    Effect, Event, JsonDocument, NonNull, RunErrorEvent, RunId, StateDeltaEvent, StateSnapshotEvent,
};
use crate::quoted::{quoted, quoted_up_to};
use crate::state::{StateError, read_sent};

/// The events of a handler's stream. The body adds the ends before an error ([`Unended`]).
///
/// [`Unended`]: super::unended::Unended
pub(super) struct Foreign {
    events: BoxStream<'static, Event>,
    /// `None` for a client that reads every delta.
    state: Option<ClientState>,
    /// The event after a snapshot that was added.
    next: Option<Event>,
    run: Option<RunId>,
    /// True after the last event of a run: no error may follow it.
    is_over: bool,
}

/// The state of a legacy client.
struct ClientState {
    /// The state that the client sent, until it is read.
    sent: Option<NonNull>,
    allowance: Allowance,
    /// The state so far, across the runs of the stream.
    held: Held,
    /// True if the current run has a snapshot.
    has_snapshot: bool,
    /// True if a delta of the current run was left out, and the log says so.
    is_reported: bool,
}

impl ClientState {
    fn new(sent: Option<NonNull>, allowance: Allowance) -> Self {
        Self { sent, allowance, held: Held::default(), has_snapshot: false, is_reported: false }
    }

    /// Returns the events for the client: none for a delta that does not apply, and a snapshot before the first delta of
    /// a run.
    fn admit(&mut self, event: Event) -> [Option<Event>; 2] {
        match &event {
            Event::RunStarted(_) => {
                // The limits of copies and steps are those of one run.
                let document = self.held.document.take();
                self.held = Held::default();
                self.held.document = document;
                (self.has_snapshot, self.is_reported) = (false, false);
            }
            Event::StateSnapshot(snapshot) => {
                // No delta applies to a state that cannot be read.
                self.held.document = Some(snapshot.snapshot.value().map(Cow::into_owned).unwrap_or_default());
                self.has_snapshot = true;
            }
            Event::StateDelta(delta) => match self.apply(delta) {
                Ok(snapshot) => return [snapshot.map(Into::into), Some(event)],
                Err(reason) => {
                    if !std::mem::replace(&mut self.is_reported, true) {
                        tracing::warn!(
                            reason = %quoted_up_to(MAX_LOGGED, reason),
                            "STATE_DELTA left out: the client is older than 1.0, and its process may end at a delta that does not apply"
                        );
                    }
                    return [None, None];
                }
            },
            _ => {}
        }
        [None, Some(event)]
    }

    /// Applies a delta. Returns the snapshot that the run owes before it.
    fn apply(&mut self, delta: &StateDeltaEvent) -> Result<Option<StateSnapshotEvent>, String> {
        if self.held.document.is_none()
            && let Some(sent) = self.sent.take()
        {
            let read = read_sent(sent.lazy(), &self.allowance, "/state")
                .map_err(|bytes| StateError::TooLarge { bytes }.to_string())?;
            self.held.document = read.ok();
        }
        let Some(document) = &self.held.document else {
            return Err("its run has no STATE_SNAPSHOT, and its input no state".to_owned());
        };
        let before = (!self.has_snapshot).then(|| document.clone());
        let operations = delta.delta.operations().map_err(|error| error.to_string())?;
        self.held.patch(&operations).map_err(|error| error.to_string())?;
        self.has_snapshot = true;
        Ok(before.map(|document| StateSnapshotEvent::new(JsonDocument::from(document))))
    }
}

impl Foreign {
    /// The stream for a client that sent this state.
    pub(super) fn new(
        events: impl Stream<Item = Event> + Send + 'static,
        peer: Peer,
        sent: Option<NonNull>,
        allowance: Allowance,
    ) -> Self {
        let state = (peer == Peer::Legacy).then(|| ClientState::new(sent, allowance));
        Self { events: events.boxed(), state, next: None, run: None, is_over: false }
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
        if let Some(event) = self.next.take() {
            return Poll::Ready(Some(event));
        }
        loop {
            let polled = catch_unwind(AssertUnwindSafe(|| self.events.poll_next_unpin(cx)));
            match polled {
                Ok(Poll::Ready(Some(event))) => {
                    self.learn(&event);
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
