//! Continues a recorded conversation.

use std::ops::ControlFlow;

use super::Session;
use crate::client::Frame;
use crate::order::OrderStrictness;
use crate::protocol::{Event, RunAgentInput, RunStartedEvent};
use crate::receive::{FrameIntake, ReceiveError, ReceivePipeline};

impl<S> Session<S> {
    /// Continues a recorded conversation from the events or frames of one or more runs.
    ///
    /// Afterwards the session equals one that took these turns: messages, state, the last run's interrupts
    /// ([`pending_interrupts`](Self::pending_interrupts)) and pending calls ([`pending_calls`](Self::pending_calls)). The user's
    /// messages, results and state are restored if `RUN_STARTED` contains the request as `input`, as in recordings made with
    /// [`record`](crate::client::middleware::record). That input leaves known messages unchanged; a state in the input is the
    /// state at the run's start. The next turn runs the handlers for pending calls before the agent.
    ///
    /// Recordings shortened by [`compact`](crate::receive::compact::compact) can be restored too, unless a run failed within an
    /// open span: compaction puts the span's events after the run's end, where they are out of order.
    ///
    /// Frames are read with the session's strictness and ceiling, and warnings go to the session's listener: call
    /// [`with_strictness`](Self::with_strictness), [`with_ceiling`](Self::with_ceiling) and [`with_warnings`](Self::with_warnings)
    /// before. A recorded run may stop early at any strictness.
    ///
    /// # Errors
    /// [`ReceiveError`] for the first refused frame. For an event that is out of order, the position is counted from the start of
    /// the event's run.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent};
    ///
    /// let log: [Event; 3] = [
    ///     RunStartedEvent::new("t", "r").into(),
    ///     TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi").into(),
    ///     RunFinishedEvent::new("t", "r").into(),
    /// ];
    /// let session: Session = Session::new(Replay::default()).restore(log)?;
    /// assert_eq!((session.messages().len(), session.thread_id().as_str()), (1, "t"));
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn restore<F: Into<Frame>>(self, frames: impl IntoIterator<Item = F>) -> Result<Self, ReceiveError> {
        let mut first = None;
        let restored = self.past(frames, &mut |error| {
            first = Some(error);
            ControlFlow::Break(())
        });
        first.map_or(Ok(restored), Err)
    }

    /// Like [`restore`](Self::restore), for a recording with refused runs: the part before the error is restored, and restoring
    /// continues with the next run. `refused` receives the errors.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use serde_json::json;
    ///
    /// let log = [
    ///     json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "1" }),
    ///     json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Hi" }),
    ///     json!({ "type": "STEP_STARTED", "stepName": 7 }),
    ///     json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "2" }),
    ///     json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "2" }),
    /// ];
    /// let mut refused = Vec::new();
    /// let session = Session::<()>::new(Replay::default()).restore_leniently(log, |error| refused.push(error));
    /// assert_eq!((session.messages().len(), refused.len(), refused[0].at()), (1, 1, 2));
    /// ```
    #[must_use]
    pub fn restore_leniently<F: Into<Frame>>(
        self,
        frames: impl IntoIterator<Item = F>,
        mut refused: impl FnMut(ReceiveError),
    ) -> Self {
        self.past(frames, &mut |error| {
            refused(error);
            ControlFlow::Continue(())
        })
    }

    /// Like [`restore`](Self::restore), from JSON Lines: one event per line. Empty lines are skipped and not counted.
    ///
    /// # Errors
    /// As [`restore`](Self::restore), also for a line that is not an event.
    pub fn restore_lines(self, lines: &str) -> Result<Self, ReceiveError> {
        let lines = lines.lines().filter(|line| !line.trim().is_empty());
        self.restore(lines.map(str::to_owned))
    }

    fn past<F: Into<Frame>>(
        mut self,
        frames: impl IntoIterator<Item = F>,
        refused: &mut dyn FnMut(ReceiveError) -> ControlFlow<()>,
    ) -> Self {
        let mut intake = FrameIntake::new().with_strictness(self.strictness).with_ceiling(self.ceiling);
        self.begin_past(None);
        let mut thread = None;
        // True if the run was refused; the rest of its frames is skipped.
        let mut is_refused = false;
        for (at, frame) in frames.into_iter().enumerate() {
            let frame = frame.into();
            if is_refused && frame.head().event_type.as_deref() != Some("RUN_STARTED") {
                continue;
            }
            let warnings = self.warnings.clone();
            let read = frame.read(&mut intake, &mut |warning| warnings.report(warning));
            let taken = match read {
                Ok(None) => Ok(()),
                Ok(Some(event)) => {
                    if let Event::RunStarted(started) = &event {
                        self.begin_past(Some(started));
                        // The thread of the request counts, whatever the agent answered.
                        let asked = started.input.as_ref().map(|input| &input.thread_id);
                        thread = Some(asked.unwrap_or(&started.thread_id).clone());
                    }
                    self.pipeline.receive(event, |event, applied, _| warnings.report_of(event, applied))
                }
                Err(error) => Err(ReceiveError::Rejected { at, error }),
            };
            is_refused = taken.is_err();
            if taken.is_err_and(|error| refused(error).is_break()) {
                break;
            }
        }
        self.typed.forget();
        match thread {
            Some(id) => self.with_thread_id(id),
            None => self,
        }
    }

    /// Begins another run: forgets the previous run's open spans, and merges the new run's input.
    fn begin_past(&mut self, started: Option<&RunStartedEvent>) {
        let mut reducer = std::mem::take(&mut self.pipeline).into_reducer();
        let pipeline = ReceivePipeline::with_strictness(self.strictness).with_ceiling(self.ceiling);
        let Some(started) = started else {
            self.pipeline = pipeline.with_reducer(reducer);
            return;
        };
        let input = started.input.as_deref();
        if let Some(state) = input.and_then(|input| input.state.as_ref()) {
            reducer.set_state(state.clone().into_value());
        }
        for message in input.into_iter().flat_map(|input| &input.messages) {
            if reducer.message(message.id().as_str()).is_none() {
                reducer.add_message(message.clone());
            }
        }
        self.pipeline = if self.strictness > OrderStrictness::Client {
            // The stricter rules allow one run per stream, which answers the messages before it.
            let answered = RunAgentInput {
                messages: reducer.messages().to_vec(),
                ..RunAgentInput::new(&started.thread_id, &started.run_id, [])
            };
            pipeline.for_input_with(&answered, reducer)
        } else {
            pipeline.with_reducer(reducer)
        };
    }
}
