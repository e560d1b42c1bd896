//! The stages composed: what a client makes of a stream, event by event.
//!
//! ```text
//! frame ─▶ Intake ─▶ event ─▶ Chunks ─▶ Verifier ─▶ pull ─▶ the caller's hooks ─▶ Reducer
//! ```
//!
//! Everything before an event that is refused has been given out, and nothing after it is. Where the official client differs on purpose
//! stands in [`differences`](super::differences).

mod error;

use std::collections::VecDeque;

pub use error::ReceiveError;
use serde_json::Value;

use super::chunks::Chunks;
use super::reduce::{Applied, Reducer};
use super::{Intake, PeerCeiling, Rejected, Warning};
use crate::order::{Phase, Strictness, Verifier};
use crate::protocol::{Event, RunAgentInput};

/// A whole client without a connection: reads, expands, verifies and reduces, as strict as it is told to be.
///
/// What comes goes in as the text of a frame ([`push_text`](Self::push_text)), as JSON ([`push_json`](Self::push_json)), or as an event
/// of this program ([`push`](Self::push)). Then [`drain`](Self::drain) does everything and says what happened. To have a say before
/// an event takes effect, [`pull`](Self::pull) what is ready, and [`apply`](Self::apply) each of these, or do not.
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
    /// What was pushed and expanded, and with which of the events that came it came.
    ready: VecDeque<(usize, Event)>,
    /// Why nothing follows behind what is ready.
    refused: Option<ReceiveError>,
    received: usize,
}

/// How a stream ended that was not refused.
///
/// ```
/// use agui_runtime::protocol::{RunErrorEvent, RunStartedEvent};
/// use agui_runtime::receive::{End, Pipeline};
///
/// let mut pipeline = Pipeline::new();
/// pipeline.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
/// assert_eq!(pipeline.end()?, End::Truncated);
/// pipeline.receive(RunErrorEvent::new("no flour").into(), |_, _, _| {})?;
/// assert_eq!(pipeline.end()?, End::Complete, "an end it is, if no good one");
/// # Ok::<(), agui_runtime::receive::ReceiveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its last run finished or failed.
    Complete,
    /// It stopped before: whatever it was to become, it is no success (AG-UI 1.0, section "HTTP exchange").
    Truncated,
}

impl Pipeline {
    /// As strict as the official client.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As strict as this. The official client takes what [`Strictness::Client`] takes; what the specification asks beyond that,
    /// truncated streams among it, is refused from [`Strictness::Spec`] on.
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

    /// For an agent known to be no newer than this.
    ///
    /// ```
    /// use agui_runtime::receive::{PeerCeiling, Pipeline};
    ///
    /// let pipeline = Pipeline::new().with_ceiling(PeerCeiling::new(0, 0, 45));
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.intake = self.intake.with_ceiling(ceiling);
        self
    }

    /// Tells what the stream answers: its messages and its state are where the reducer starts from, and from [`Strictness::Spec`] on
    /// the first run has its ids.
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

    /// The same with a reducer that knows the conversation already, activities among it.
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

    /// With a reducer that knows a conversation already, activities among it.
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

    /// Takes in the next event, and does everything: [`push`](Self::push) and [`drain`](Self::drain).
    ///
    /// # Errors
    /// [`ReceiveError`] if it is refused, now and ever after; what came of it before that was applied.
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

    /// Lets everything take effect that is ready. `each` sees every event that was in order and what it changed.
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
    /// [`ReceiveError`] if something was refused, now and ever after.
    pub fn drain(&mut self, mut each: impl FnMut(&Event, &Applied, &Reducer)) -> Result<(), ReceiveError> {
        // As `pull` and `apply` do it, without moving events through both.
        while let Some((at, event)) = self.ready.pop_front() {
            self.verify(at, &event)?;
            let applied = self.apply(&event);
            each(&event, &applied, &self.reduce);
        }
        self.refused.clone().map_or(Ok(()), Err)
    }

    /// Takes in the next event, for [`pull`](Self::pull) to give out what becomes of it. Behind an event that was refused, it is
    /// for nothing.
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

    /// The same with [`Intake::event`], for an agent that may be known to be older.
    #[cfg(feature = "client")]
    pub(crate) fn push_event(&mut self, event: Event, warn: &mut dyn FnMut(Warning)) {
        self.take(|intake| intake.event(event, warn));
    }

    /// The same for the text of a frame. `warn` hears of everything that is not AG-UI 1.0 and no reason to refuse it.
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

    /// The same for a message of the binary transport, as [`proto::Decoder`](crate::wire::proto::Decoder) gives them.
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

    /// The same for a frame that is JSON already.
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

    /// The next event that is in order; `None` until more is pushed.
    ///
    /// # Errors
    /// [`ReceiveError`] if one is refused, now and ever after.
    ///
    /// ```
    /// use agui_runtime::receive::Pipeline;
    ///
    /// let mut pipeline = Pipeline::new();
    /// pipeline.push_text(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, &mut |_| {});
    /// while let Some(event) = pipeline.pull()? {
    ///     // Whoever pulls decides whether it takes effect.
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

    /// Lets an event take effect that was pulled, and says what it changed.
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
        // What was pulled is no chunk; of one that was not, nothing is changed.
        self.reduce.apply(event).unwrap_or_default()
    }

    /// Says that no more events come.
    ///
    /// # Errors
    /// The event that was refused, if one was; and from [`Strictness::Spec`] on, that the stream stopped before its run ended.
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

    /// How strict it is.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.verify.strictness()
    }

    /// How many frames and events came.
    #[must_use]
    pub fn received(&self) -> usize {
        self.received
    }

    /// The messages, the state, the open questions.
    #[must_use]
    pub fn reducer(&self) -> &Reducer {
        &self.reduce
    }

    /// The same, for a caller that edits the conversation while it comes.
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

    /// The same, to keep.
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
