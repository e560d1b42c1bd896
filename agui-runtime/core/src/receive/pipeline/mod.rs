//! The stages combined: a client without a connection, event by event.
//!
//! ```text
//! frame ─▶ FrameIntake ─▶ event ─▶ ChunkExpander ─▶ OrderVerifier ─▶ pull ─▶ the caller's hooks ─▶ Reducer
//! ```
//!
//! All events before a refused event are delivered, and none after it. [`differences`](super::differences)
//! lists the deliberate differences from the official client.

mod end;
mod error;
mod input;
mod setup;

use std::collections::VecDeque;

pub use end::PipelineEnd;
pub use error::ReceiveError;

use super::FrameIntake;
use super::chunks::ChunkExpander;
use super::reduce::{Reducer, ReducerUpdate};
#[cfg(feature = "server")]
use crate::order::OpenSpan;
use crate::order::{OrderStrictness, OrderVerifier, StreamPhase};
use crate::protocol::Event;

/// A complete client without a connection: reads, expands, verifies and reduces, with a chosen strictness.
///
/// Input is a frame's text ([`push_text`](Self::push_text)), JSON ([`push_json`](Self::push_json)), or an event that this program
/// made ([`push`](Self::push)). Then [`drain`](Self::drain) applies everything and reports each event. To decide about an event
/// before it is applied, [`pull`](Self::pull) the events that are ready, and [`apply`](Self::apply) the events that should take
/// effect.
///
/// ```
/// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent};
/// use agui_runtime::receive::pipeline::{PipelineEnd, ReceivePipeline};
///
/// let events: [Event; 3] = [
///     RunStartedEvent::new("t", "r").into(),
///     TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi").into(),
///     RunFinishedEvent::new("t", "r").into(),
/// ];
/// let mut pipeline = ReceivePipeline::new();
/// let mut types = Vec::new();
/// for event in events {
///     pipeline.receive(event, |event, _, _| types.push(event.event_type().as_str()))?;
/// }
/// assert_eq!(pipeline.end()?, PipelineEnd::Complete);
/// assert_eq!(types[1..4], ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]);
/// assert_eq!(serde_json::to_value(pipeline.reducer().messages())?[0]["content"], "Hi");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReceivePipeline {
    intake: FrameIntake,
    expand: ChunkExpander,
    verify: OrderVerifier,
    reduce: Reducer,
    /// The expanded events that are ready, each with the received event's index.
    ready: VecDeque<(usize, Event)>,
    /// The error that ends the stream after the events that are ready.
    refused: Option<ReceiveError>,
    received: usize,
}

impl ReceivePipeline {
    /// Takes the next event and applies everything: [`push`](Self::push) and [`drain`](Self::drain).
    ///
    /// # Errors
    /// [`ReceiveError`] if an event is refused, on this and every later call; the events before it were applied.
    pub fn receive(
        &mut self,
        event: Event,
        each: impl FnMut(&Event, &ReducerUpdate, &Reducer),
    ) -> Result<(), ReceiveError> {
        self.push(event);
        self.drain(each)
    }

    /// Applies all events that are ready. `each` sees every event that is in order, and the event's changes.
    ///
    /// ```
    /// use agui_runtime::receive::ReceivePipeline;
    ///
    /// let frames = [
    ///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    ///     r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":1},"mood":"good"}"#,
    /// ];
    /// let mut pipeline = ReceivePipeline::new();
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
    pub fn drain(
        &mut self,
        mut each: impl FnMut(&Event, &ReducerUpdate, &Reducer),
    ) -> Result<(), ReceiveError> {
        // The same as `pull` and `apply`, without moving events through both.
        while let Some((at, event)) = self.ready.pop_front() {
            self.verify(at, &event)?;
            let applied = self.apply(&event);
            each(&event, &applied, &self.reduce);
        }
        self.refused.clone().map_or(Ok(()), Err)
    }

    /// Returns the next event that is in order; `None` until more is pushed.
    ///
    /// # Errors
    /// [`ReceiveError`] if an event is refused, on this and every later call.
    ///
    /// ```
    /// use agui_runtime::receive::ReceivePipeline;
    ///
    /// let mut pipeline = ReceivePipeline::new();
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

    /// Applies a pulled event, and returns the changes.
    pub fn apply(&mut self, event: &Event) -> ReducerUpdate {
        // A pulled event is never a chunk; a chunk from elsewhere changes nothing.
        self.reduce.apply(event).unwrap_or_default()
    }

    /// Declares the end of the events.
    ///
    /// # Errors
    /// [`ReceiveError`] for a refused event; from [`OrderStrictness::Spec`] up also for a stream that stops inside a run.
    pub fn end(&self) -> Result<PipelineEnd, ReceiveError> {
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        self.verify.end().map_err(|error| ReceiveError::Order { at: self.received, error })?;
        Ok(match self.verify.phase() {
            StreamPhase::Finished | StreamPhase::Failed => PipelineEnd::Complete,
            _ => PipelineEnd::Truncated,
        })
    }

    /// Returns the open spans, in the order in which they were opened.
    #[cfg(feature = "server")]
    pub(crate) fn open(&self) -> Vec<OpenSpan> {
        self.verify.open()
    }

    /// Returns the strictness.
    #[must_use]
    pub fn strictness(&self) -> OrderStrictness {
        self.verify.strictness()
    }

    /// Returns the number of received frames and events.
    #[must_use]
    pub fn received(&self) -> usize {
        self.received
    }

    /// Returns the reducer: messages, state, open interrupts.
    #[must_use]
    pub fn reducer(&self) -> &Reducer {
        &self.reduce
    }

    /// Returns the reducer for writing, for a caller that edits the conversation during a stream.
    pub fn reducer_mut(&mut self) -> &mut Reducer {
        &mut self.reduce
    }

    /// Returns the reducer, owned.
    #[must_use]
    pub fn into_reducer(self) -> Reducer {
        self.reduce
    }
}
