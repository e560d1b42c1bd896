//! The stages combined: a client without a connection, event by event.
//!
//! ```text
//! frame ─▶ Intake ─▶ event ─▶ Chunks ─▶ Verifier ─▶ pull ─▶ the caller's hooks ─▶ Reducer
//! ```
//!
//! All events before a refused event are delivered, and none after it. [`differences`](super::differences)
//! lists the deliberate differences from the official client.

mod error;

use std::collections::VecDeque;

pub use error::ReceiveError;
use serde_json::Value;

use super::chunks::Chunks;
use super::reduce::{Applied, Reducer};
use super::{Intake, PeerCeiling, Rejected, Warning};
#[cfg(feature = "server")]
use crate::order::OpenSpan;
use crate::order::{Phase, Strictness, Verifier};
use crate::protocol::{Event, RunAgentInput};

/// A complete client without a connection: reads, expands, verifies and reduces, with a chosen strictness.
///
/// Input is the text of a frame ([`push_text`](Self::push_text)), JSON ([`push_json`](Self::push_json)), or
/// an event of this program ([`push`](Self::push)). Then [`drain`](Self::drain) applies everything and
/// reports each event. To decide about an event before it is applied, [`pull`](Self::pull) the events that
/// are ready, and [`apply`](Self::apply) those that should take effect.
///
/// ```
/// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent};
/// use agui_runtime::receive::pipeline::{End, Pipeline};
///
/// let events: [Event; 3] = [
///     RunStartedEvent::new("t", "r").into(),
///     TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi").into(),
///     RunFinishedEvent::new("t", "r").into(),
/// ];
/// let mut pipeline = Pipeline::new();
/// let mut types = Vec::new();
/// for event in events {
///     pipeline.receive(event, |event, _, _| types.push(event.event_type().as_str()))?;
/// }
/// assert_eq!(pipeline.end()?, End::Complete);
/// assert_eq!(types[1..4], ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]);
/// assert_eq!(serde_json::to_value(pipeline.reducer().messages())?[0]["content"], "Hi");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pipeline {
    intake: Intake,
    expand: Chunks,
    verify: Verifier,
    reduce: Reducer,
    /// The expanded events that are ready, each with the index of the received event.
    ready: VecDeque<(usize, Event)>,
    /// The error that ends the stream after the events that are ready.
    refused: Option<ReceiveError>,
    received: usize,
}

/// The end of a stream that was not refused.
///
/// ```
/// use agui_runtime::protocol::{RunErrorEvent, RunStartedEvent};
/// use agui_runtime::receive::{End, Pipeline};
///
/// let mut pipeline = Pipeline::new();
/// pipeline.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
/// assert_eq!(pipeline.end()?, End::Truncated);
/// pipeline.receive(RunErrorEvent::new("no flour").into(), |_, _, _| {})?;
/// assert_eq!(pipeline.end()?, End::Complete, "a failed run is complete too");
/// # Ok::<(), agui_runtime::receive::ReceiveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The last run finished or failed.
    Complete,
    /// The stream stopped in a run. That is not a success (AG-UI 1.0, section "HTTP exchange").
    Truncated,
}

impl Pipeline {
    /// Creates a pipeline that is as strict as the official client.
    ///
    /// ```
    /// use agui_runtime::order::Strictness;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// assert_eq!(Pipeline::new().strictness(), Strictness::Client);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a pipeline of the given strictness. The official client accepts the same as
    /// [`Strictness::Client`]. From [`Strictness::Spec`] up, further violations of the specification are
    /// refused, such as truncated streams.
    ///
    /// ```
    /// use agui_runtime::order::Strictness;
    /// use agui_runtime::protocol::RunStartedEvent;
    /// use agui_runtime::receive::pipeline::{End, Pipeline};
    ///
    /// let mut tolerant = Pipeline::new();
    /// tolerant.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
    /// assert_eq!(tolerant.end()?, End::Truncated);
    ///
    /// let mut strict = Pipeline::with_strictness(Strictness::Spec);
    /// strict.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
    /// assert_eq!(strict.end().unwrap_err().code(), "SPEC_TRUNCATED");
    /// # Ok::<(), agui_runtime::receive::pipeline::ReceiveError>(())
    /// ```
    #[must_use]
    pub fn with_strictness(strictness: Strictness) -> Self {
        Self {
            intake: Intake::new().with_strictness(strictness),
            verify: Verifier::with_strictness(strictness),
            ..Self::default()
        }
    }

    /// Sets the highest version that the agent may have.
    ///
    /// ```
    /// use agui_runtime::receive::{PeerCeiling, Pipeline};
    ///
    /// let mut old = Pipeline::new().with_ceiling(PeerCeiling::new(0, 0, 57));
    /// old.push_text(r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}"#, &mut |_| {});
    /// assert_eq!(old.pull()?, None, "version 0.0.57 has no subagents");
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.intake = self.intake.with_ceiling(ceiling);
        self
    }

    /// Declares the input that the stream answers: the reducer starts from its messages and its state, and
    /// from [`Strictness::Spec`] up the first run must have its ids.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let input = RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()]);
    /// assert_eq!(Pipeline::new().answering(&input).reducer().messages().len(), 1);
    /// ```
    #[must_use]
    pub fn answering(self, input: &RunAgentInput) -> Self {
        self.answering_with(input, Reducer::answering(input))
    }

    /// Like [`answering`](Self::answering), with a reducer that already has the conversation, including
    /// activities.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    /// use agui_runtime::receive::{Pipeline, Reducer};
    ///
    /// let known = Reducer::new().with_messages(vec![UserMessage::new("u", "Hi").into()]);
    /// let input = RunAgentInput::new("t", "r", known.messages());
    /// let pipeline = Pipeline::new().answering_with(&input, known);
    /// assert_eq!(pipeline.reducer().messages().len(), 1);
    /// ```
    #[must_use]
    pub fn answering_with(mut self, input: &RunAgentInput, reducer: Reducer) -> Self {
        self.verify = std::mem::take(&mut self.verify).answering(input);
        self.reduce = reducer;
        self
    }

    /// Sets a reducer that already has a conversation, including activities.
    ///
    /// ```
    /// use agui_runtime::receive::{Pipeline, Reducer};
    /// use serde_json::json;
    ///
    /// let known = Reducer::new().with_state(json!({ "n": 1 }));
    /// assert_eq!(Pipeline::new().with_reducer(known).reducer().state()["n"], 1);
    /// ```
    #[must_use]
    pub fn with_reducer(mut self, reducer: Reducer) -> Self {
        self.reduce = reducer;
        self
    }

    /// Takes the next event and applies everything: [`push`](Self::push) and [`drain`](Self::drain).
    ///
    /// # Errors
    /// [`ReceiveError`] if an event is refused, on this and every later call; the events before it were
    /// applied.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunStartedEvent, TextMessageChunkEvent};
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// let mut types = Vec::new();
    /// let chunk = TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi");
    /// for event in [Event::from(RunStartedEvent::new("t", "r")), chunk.into()] {
    ///     pipeline.receive(event, |event, _, _| types.push(event.event_type().as_str()))?;
    /// }
    /// assert_eq!(types, ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]);
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn receive(
        &mut self,
        event: Event,
        each: impl FnMut(&Event, &Applied, &Reducer),
    ) -> Result<(), ReceiveError> {
        self.push(event);
        self.drain(each)
    }

    /// Applies all events that are ready. `each` sees every event that is in order, and its changes.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let frames = [
    ///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    ///     r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1},"mood":"good"}"#,
    /// ];
    /// let mut pipeline = Pipeline::new();
    /// let mut left_out = Vec::new();
    /// for frame in frames {
    ///     pipeline.push_text(frame, &mut |warning| left_out.push(warning.path().to_owned()));
    ///     pipeline.drain(|_, _, _| {})?;
    /// }
    /// assert_eq!(pipeline.reducer().state()["n"], 1);
    /// assert_eq!(left_out, ["/mood"]);
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReceiveError`] if an event was refused, on this and every later call.
    pub fn drain(&mut self, mut each: impl FnMut(&Event, &Applied, &Reducer)) -> Result<(), ReceiveError> {
        // The same as `pull` and `apply`, without moving events through both.
        while let Some((at, event)) = self.ready.pop_front() {
            self.verify(at, &event)?;
            let applied = self.apply(&event);
            each(&event, &applied, &self.reduce);
        }
        self.refused.clone().map_or(Ok(()), Err)
    }

    /// Takes the next event; [`pull`](Self::pull) returns the resulting events. After a refused event it is
    /// ignored.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunStartedEvent};
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let started = Event::from(RunStartedEvent::new("t", "r"));
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push(started.clone());
    /// assert_eq!(pipeline.pull()?, Some(started));
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn push(&mut self, event: Event) {
        self.take(|_| Ok(Some(event)));
    }

    /// Like [`push`](Self::push) with [`Intake::event`], for an agent that may be older.
    #[cfg(feature = "client")]
    pub(crate) fn push_event(&mut self, event: Event, warn: &mut dyn FnMut(Warning)) {
        self.take(|intake| intake.event(event, warn));
    }

    /// Takes the text of a frame. `warn` receives everything that is not AG-UI 1.0 but no reason to refuse
    /// the frame.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push_text(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, &mut |warning| panic!("{warning}"));
    /// assert!(pipeline.pull()?.is_some());
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn push_text(&mut self, text: &str, warn: &mut dyn FnMut(Warning)) {
        self.take(|intake| intake.text(text, warn));
    }

    /// Takes a message of the binary transport, as returned by
    /// [`proto::Decoder`](crate::wire::proto::Decoder).
    ///
    /// ```
    /// use agui_runtime::protocol::RunStartedEvent;
    /// use agui_runtime::receive::Pipeline;
    /// use agui_runtime::wire::proto::{Decoder, encode};
    ///
    /// let mut bytes = Vec::new();
    /// encode(&RunStartedEvent::new("t", "r").into(), &mut bytes)?;
    /// let mut decoder = Decoder::new();
    /// decoder.push(&bytes);
    /// let mut pipeline = Pipeline::new();
    /// while let Some(message) = decoder.next()? {
    ///     pipeline.push_proto(message, &mut |warning| panic!("{warning}"));
    /// }
    /// assert!(pipeline.pull()?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "proto")]
    pub fn push_proto(&mut self, message: &[u8], warn: &mut dyn FnMut(Warning)) {
        self.take(|intake| intake.proto(message, warn));
    }

    /// Takes a frame that is JSON already.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    /// use serde_json::json;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push_json(json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }), &mut |_| {});
    /// assert!(pipeline.pull()?.is_some());
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn push_json(&mut self, frame: Value, warn: &mut dyn FnMut(Warning)) {
        self.take(|intake| intake.value(frame, warn));
    }

    fn take(&mut self, read: impl FnOnce(&mut Intake) -> Result<Option<Event>, Rejected>) {
        let at = self.received;
        self.received += 1;
        if self.refused.is_some() {
            return;
        }
        let event = match read(&mut self.intake) {
            Ok(Some(event)) => event,
            Ok(None) => return,
            Err(error) => {
                self.refused = Some(ReceiveError::Rejected { at, error });
                return;
            }
        };
        if self.expand.passes(&event) {
            self.ready.push_back((at, event));
            return;
        }
        match self.expand.expand(event) {
            Ok(expanded) => self.ready.extend(expanded.map(|event| (at, event))),
            Err(error) => self.refused = Some(ReceiveError::Chunk { at, error }),
        }
    }

    /// Returns the next event that is in order; `None` until more is pushed.
    ///
    /// # Errors
    /// [`ReceiveError`] if an event is refused, on this and every later call.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push_text(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, &mut |_| {});
    /// while let Some(event) = pipeline.pull()? {
    /// // The caller decides if the event takes effect.
    ///     let applied = pipeline.apply(&event);
    ///     assert!(applied.warning.is_none());
    /// }
    /// assert!(pipeline.reducer().run().is_some());
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn pull(&mut self) -> Result<Option<Event>, ReceiveError> {
        match self.ready.pop_front() {
            Some((at, event)) => self.verify(at, &event).map(|()| Some(event)),
            None => self.refused.clone().map_or(Ok(None), Err),
        }
    }

    fn verify(&mut self, at: usize, event: &Event) -> Result<(), ReceiveError> {
        self.verify.check(event).map_err(|error| {
            self.ready.clear();
            let refused = ReceiveError::Order { at, error };
            self.refused = Some(refused.clone());
            refused
        })
    }

    /// Applies a pulled event, and returns its changes.
    ///
    /// ```
    /// use agui_runtime::protocol::RunStartedEvent;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push(RunStartedEvent::new("t", "r").into());
    /// while let Some(event) = pipeline.pull()? {
    ///     let applied = pipeline.apply(&event);
    ///     assert!(applied.warning.is_none());
    /// }
    /// assert_eq!(pipeline.reducer().run().unwrap().run_id().as_str(), "r");
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn apply(&mut self, event: &Event) -> Applied {
        // A pulled event is never a chunk; a chunk from elsewhere changes nothing.
        self.reduce.apply(event).unwrap_or_default()
    }

    /// Declares the end of the events.
    ///
    /// # Errors
    /// [`ReceiveError`] of an event that was refused; from [`Strictness::Spec`] up also for a stream that
    /// stops in a run.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunFinishedEvent, RunStartedEvent};
    /// use agui_runtime::receive::{End, Pipeline};
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
    /// pipeline.receive(RunFinishedEvent::new("t", "r").into(), |_, _, _| {})?;
    /// assert_eq!(pipeline.end()?, End::Complete);
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn end(&self) -> Result<End, ReceiveError> {
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        self.verify.end().map_err(|error| ReceiveError::Order { at: self.received, error })?;
        Ok(match self.verify.phase() {
            Phase::Finished | Phase::Failed => End::Complete,
            _ => End::Truncated,
        })
    }

    /// Returns the open spans, in the order in which they were opened.
    #[cfg(feature = "server")]
    pub(crate) fn open(&self) -> Vec<OpenSpan> {
        self.verify.open()
    }

    /// Returns the strictness.
    ///
    /// ```
    /// use agui_runtime::order::Strictness;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// assert_eq!(Pipeline::new().strictness(), Strictness::Client);
    /// ```
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.verify.strictness()
    }

    /// Returns the number of received frames and events.
    ///
    /// ```
    /// use agui_runtime::protocol::RunStartedEvent;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push(RunStartedEvent::new("t", "r").into());
    /// assert_eq!(pipeline.received(), 1);
    /// ```
    #[must_use]
    pub fn received(&self) -> usize {
        self.received
    }

    /// Returns the reducer: messages, state, open interrupts.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    ///
    /// assert!(Pipeline::new().reducer().messages().is_empty());
    /// ```
    #[must_use]
    pub fn reducer(&self) -> &Reducer {
        &self.reduce
    }

    /// Returns the reducer for writing, for a caller that edits the conversation during a stream.
    ///
    /// ```
    /// use agui_runtime::protocol::UserMessage;
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.reducer_mut().add_message(UserMessage::new("u", "Hi").into());
    /// assert_eq!(pipeline.reducer().messages().len(), 1);
    /// ```
    pub fn reducer_mut(&mut self) -> &mut Reducer {
        &mut self.reduce
    }

    /// Returns the reducer, owned.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    ///
    /// assert!(Pipeline::new().into_reducer().messages().is_empty());
    /// ```
    #[must_use]
    pub fn into_reducer(self) -> Reducer {
        self.reduce
    }
}
