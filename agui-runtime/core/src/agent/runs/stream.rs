//! The stream that owns a run: polling runs the agent, dropping cancels.

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;

use super::recorder::RunRecording;
use crate::agent::ends::stop::discard;
use crate::emit::{RunShared, SerialStream};
use crate::kernel::{EventBatch, TerminalOutcome};
use crate::protocol::Event;

/// One run's events, in order; created by [`start`](crate::start).
///
/// Dropping the stream early cancels the run: the agent is dropped immediately, and later writes from other threads are discarded.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::protocol::RunAgentInput;
/// use agui_runtime::{EventStream, RunOptions, start};
/// use futures::StreamExt;
///
/// # use agui_runtime::prelude::*;
/// # /// Greets.
/// # #[agent]
/// # async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> { Ok(()) }
/// # futures::executor::block_on(async {
/// let input = RunAgentInput::new("thread", "run", []);
/// let mut events: EventStream = start(Arc::new(Greeter::new()), input, RunOptions::default());
/// while let Some(event) = events.next().await {
///     println!("{}", event.event_type()); // RUN_STARTED, RUN_FINISHED
/// }
/// # });
/// ```
#[must_use = "the run happens while its stream is polled"]
pub struct EventStream {
    /// `None` once the last event was read, which frees the input and the kernel's view of the conversation.
    hub: Option<Arc<RunShared>>,
    batch: EventBatch,
    agent: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    recording: Option<RunRecording>,
    polled: bool,
}

impl EventStream {
    /// Returns the same events, one message or call at a time, for clients that refuse interleaved ones; see
    /// [`SerialStream`].
    ///
    /// ```
    /// # use agui_runtime::EventStream;
    /// # use agui_runtime::events::SerialStream;
    /// # fn example(events: EventStream) -> SerialStream<EventStream> {
    /// events.serial()
    /// # }
    /// ```
    pub fn serial(self) -> SerialStream<Self> {
        SerialStream::new(self)
    }

    pub(in crate::agent) fn new(
        hub: Arc<RunShared>,
        agent: Pin<Box<dyn Future<Output = ()> + Send>>,
        recording: Option<RunRecording>,
    ) -> Self {
        Self { hub: Some(hub), batch: EventBatch::default(), agent: Some(agent), recording, polled: false }
    }

    /// Ends a started run from outside: drops the agent immediately and writes RUN_ERROR. The stream then returns its queued
    /// events, the ends for open spans, and the error. A run that has ended stays unchanged.
    #[cfg(feature = "server")]
    pub(crate) fn fail(&mut self, message: String, code: &str) {
        if let Some(hub) = &self.hub {
            hub.end_by(code);
        }
        self.drop_agent();
        if let Some(hub) = &self.hub {
            hub.end(TerminalOutcome::Failed { message, code: Some(code.to_owned()) }, None);
        }
    }

    /// Ends a started run from outside, with outcome `cancelled`; otherwise as [`fail`](Self::fail).
    #[cfg(feature = "server")]
    pub(crate) fn cancel(&mut self) {
        self.drop_agent();
        if let Some(hub) = &self.hub {
            hub.end(TerminalOutcome::Cancelled, None);
        }
    }

    /// Drops the agent. Returns false if the agent has already ended.
    fn drop_agent(&mut self) -> bool {
        let Some(agent) = self.agent.take() else { return false };
        // Destructors of the agent are user code, and the caller may be unwinding already.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(agent))) {
            tracing::error!("the agent panicked while its run was cancelled");
            discard(panic);
        }
        true
    }

    /// True if there is an event; the recorder has then seen that event.
    #[inline]
    fn fill(&mut self) -> bool {
        let Some(hub) = &self.hub else { return false };
        let is_filled = self.batch.fill(hub);
        if self.recording.is_some()
            && let Some(event) = self.batch.front()
        {
            RunRecording::show(&mut self.recording, event);
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
                if let Some(Event::RunFinished(_) | Event::RunError(_)) = event {
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
        if self.drop_agent()
            && self.polled
            && let Some(hub) = &self.hub
        {
            hub.end(TerminalOutcome::Cancelled, None);
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
