use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::Stream;

use super::recorder::Recording;
use super::stop::discard;
use crate::emit::{Batch, Hub, Serial, Terminal};
use crate::protocol::Event;

/// The events of one run, in order; made by [`start`](crate::start).
///
/// Dropping it before its end cancels the run: the agent is dropped where it stands, and what parts of it on other threads
/// still say is not heard.
#[must_use = "the run happens while its stream is polled"]
pub struct EventStream {
    /// `None` once the last event was read: the input and what is known of the conversation go with it.
    hub: Option<Arc<Hub>>,
    batch: Batch,
    agent: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    recording: Option<Recording>,
    polled: bool,
}

impl EventStream {
    /// The same events, one message or call after the other, for clients that refuse interleaved ones; see [`Serial`].
    ///
    /// ```
    /// # use agui_runtime::{EventStream, Serial};
    /// # fn example(events: EventStream) -> Serial<EventStream> {
    /// events.serial()
    /// # }
    /// ```
    pub fn serial(self) -> Serial<Self> {
        Serial::new(self)
    }

    pub(super) fn new(
        hub: Arc<Hub>,
        agent: Pin<Box<dyn Future<Output = ()> + Send>>,
        recording: Option<Recording>,
    ) -> Self {
        Self { hub: Some(hub), batch: Batch::default(), agent: Some(agent), recording, polled: false }
    }

    /// Whether there is an event; if so it was shown to the recorder.
    #[inline]
    fn fill(&mut self) -> bool {
        let Some(hub) = &self.hub else { return false };
        let is_filled = self.batch.fill(hub);
        if self.recording.is_some()
            && let Some(event) = self.batch.front()
        {
            Recording::show(&mut self.recording, event);
        }
        is_filled
    }
}

impl Stream for EventStream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.polled = true;
        loop {
            if self.fill() {
                let event = self.batch.take();
                // An agent that has returned says nothing any more, and all it said is in the batch.
                if self.agent.is_none() && self.batch.front().is_none() {
                    self.hub = None;
                }
                return Poll::Ready(event);
            }
            let Self { agent: Some(agent), hub: Some(hub), .. } = &mut *self else {
                return Poll::Ready(None);
            };
            if agent.as_mut().poll(cx).is_ready() {
                self.agent = None;
            } else if !hub.wait_for_event(cx) {
                return Poll::Pending;
            }
        }
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        if let Some(agent) = self.agent.take() {
            // Destructors of the agent's are anybody's code, and whoever drops the stream may be unwinding already.
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(agent))) {
                tracing::error!("the agent panicked while its run was cancelled");
                discard(panic);
            }
            if self.polled
                && let Some(hub) = &self.hub
            {
                hub.end(Terminal::Cancelled, None);
            }
        }
        while self.recording.is_some() && self.fill() {
            drop(self.batch.take());
        }
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream").field("running", &self.agent.is_some()).finish_non_exhaustive()
    }
}
