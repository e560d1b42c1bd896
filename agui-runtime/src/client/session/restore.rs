//! A conversation that was recorded goes on.

use std::ops::ControlFlow;

use super::Session;
use crate::client::Frame;
use crate::order::Strictness;
use crate::protocol::{Event, RunAgentInput, RunStartedEvent};
use crate::receive::{Intake, Pipeline, ReceiveError};

impl<S> Session<S> {
    /// Goes on with a conversation that was recorded: its events or frames, of one run or many.
    ///
    /// Afterwards the session is what it would be had it taken these turns itself: messages, state, the questions an interrupted run
    /// left ([`pending_interrupts`](Self::pending_interrupts)) and the calls nobody has answered
    /// ([`pending_calls`](Self::pending_calls)). What the person said, answered and set is there where `RUN_STARTED` has the request as
    /// its `input`, as recordings made with [`record`](crate::client::middleware::record) do; messages of it that are known are left as
    /// they are, and its state, if it has one, is where the run starts from. The next turn answers pending calls of tools that have a
    /// handler before it asks the agent.
    ///
    /// Recordings that were made shorter by [`compact`](crate::receive::compact::compact) are restored as well, but for those of runs
    /// that failed in the middle of an item: compaction puts its events after the end, where they are out of order.
    ///
    /// Frames are taken as strictly as the session takes them, and warnings go where its warnings go: call
    /// [`with_strictness`](Self::with_strictness), [`with_ceiling`](Self::with_ceiling) and [`with_warnings`](Self::with_warnings)
    /// before. A run of a recording may stop in its middle, however strict that is.
    ///
    /// # Errors
    /// [`ReceiveError`] at the first frame that is refused. Where it is out of order, its place is counted from the beginning of its
    /// run.
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

    /// The same for a recording that holds runs which were refused when they came: as it was then, what of such a run came before is
    /// kept, and the conversation goes on with the next run. `refused` hears why.
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

    /// The same with a recording in a file: JSON Lines, one event per line. Empty lines are skipped and not counted.
    ///
    /// # Errors
    /// Those of [`restore`](Self::restore), for a line that is no event among them.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let recording = r#"
    /// {"type":"RUN_STARTED","threadId":"t","runId":"1","input":{"threadId":"t","runId":"1","messages":[{"id":"u","role":"user","content":"Hi"}]}}
    /// {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hello!"}
    /// {"type":"RUN_FINISHED","threadId":"t","runId":"1"}
    /// "#;
    /// let mut session: Session = Session::new(Replay::default()).restore_lines(recording)?;
    /// session.say("How are you?");
    /// let roles: Vec<_> = session.messages().iter().map(|message| message.role().as_str()).collect();
    /// assert_eq!(roles, ["user", "assistant", "user"]);
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn restore_lines(self, lines: &str) -> Result<Self, ReceiveError> {
        let lines = lines.lines().filter(|line| !line.trim().is_empty());
        self.restore(lines.map(str::to_owned))
    }

    fn past<F: Into<Frame>>(
        mut self,
        frames: impl IntoIterator<Item = F>,
        refused: &mut dyn FnMut(ReceiveError) -> ControlFlow<()>,
    ) -> Self {
        let mut intake = Intake::new().with_strictness(self.strictness).with_ceiling(self.ceiling);
        self.begin_past(None);
        let mut thread = None;
        // Whether the run is refused, and what else it says for nothing.
        let mut is_refused = false;
        for (at, frame) in frames.into_iter().enumerate() {
            let frame = frame.into();
            if is_refused && frame.head().event_type.as_deref() != Some("RUN_STARTED") {
                continue;
            }
            let warnings = self.warnings.clone();
            let read = frame.read(&mut intake, &mut |warning| warnings.tell(warning));
            let taken = match read {
                Ok(None) => Ok(()),
                Ok(Some(event)) => {
                    if let Event::RunStarted(started) = &event {
                        self.begin_past(Some(started));
                        // What was asked counts, whatever the agent made of it.
                        let asked = started.input.as_ref().map(|input| &input.thread_id);
                        thread = Some(asked.unwrap_or(&started.thread_id).clone());
                    }
                    self.pipeline.receive(event, |event, applied, _| warnings.tell_of(event, applied))
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

    /// What comes now is another run: what the one before left open is no concern of it, and what it was asked with is where it starts.
    fn begin_past(&mut self, started: Option<&RunStartedEvent>) {
        let mut reducer = std::mem::take(&mut self.pipeline).into_reducer();
        let pipeline = Pipeline::with_strictness(self.strictness).with_ceiling(self.ceiling);
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
        self.pipeline = if self.strictness > Strictness::Client {
            // By the stricter rules a stream has one run, which answers what was said before.
            let answered = RunAgentInput {
                messages: reducer.messages().to_vec(),
                ..RunAgentInput::new(&started.thread_id, &started.run_id, [])
            };
            pipeline.answering_with(&answered, reducer)
        } else {
            pipeline.with_reducer(reducer)
        };
    }
}
