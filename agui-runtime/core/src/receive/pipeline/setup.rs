//! A pipeline's settings: the strictness, the agent's version, the conversation to start from.

use super::ReceivePipeline;
use crate::order::{OrderStrictness, OrderVerifier};
use crate::protocol::RunAgentInput;
use crate::receive::{FrameIntake, PeerCeiling, Reducer};

impl ReceivePipeline {
    /// Creates a [`ReceivePipeline`] that is as strict as the official client.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a pipeline with the given strictness. The official client accepts the same as [`OrderStrictness::Client`]. From
    /// [`OrderStrictness::Spec`] up, further violations of the specification are refused, such as truncated streams.
    ///
    /// ```
    /// use agui_runtime::order::OrderStrictness;
    /// use agui_runtime::protocol::RunStartedEvent;
    /// use agui_runtime::receive::pipeline::{PipelineEnd, ReceivePipeline};
    ///
    /// let mut tolerant = ReceivePipeline::new();
    /// tolerant.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
    /// assert_eq!(tolerant.end()?, PipelineEnd::Truncated);
    ///
    /// let mut strict = ReceivePipeline::with_strictness(OrderStrictness::Spec);
    /// strict.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
    /// assert_eq!(strict.end().unwrap_err().code(), "SPEC_TRUNCATED");
    /// # Ok::<(), agui_runtime::receive::pipeline::ReceiveError>(())
    /// ```
    #[must_use]
    pub fn with_strictness(strictness: OrderStrictness) -> Self {
        Self {
            intake: FrameIntake::new().with_strictness(strictness),
            verify: OrderVerifier::with_strictness(strictness),
            ..Self::default()
        }
    }

    /// Sets the highest version that the agent may have.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.intake = self.intake.with_ceiling(ceiling);
        self
    }

    /// Declares the input that the stream belongs to: the reducer starts from the input's messages and state, and from
    /// [`OrderStrictness::Spec`] up the first run must have the input's ids.
    #[must_use]
    pub fn for_input(self, input: &RunAgentInput) -> Self {
        self.for_input_with(input, Reducer::from_input(input))
    }

    /// Declares the input for a reducer that already has the conversation, including activities.
    #[must_use]
    pub fn for_input_with(mut self, input: &RunAgentInput, reducer: Reducer) -> Self {
        self.verify = std::mem::take(&mut self.verify).for_input(input);
        self.reduce = reducer;
        self
    }

    /// Sets a reducer that already has a conversation, including activities.
    #[must_use]
    pub fn with_reducer(mut self, reducer: Reducer) -> Self {
        self.reduce = reducer;
        self
    }
}
