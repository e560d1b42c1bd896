//! The settings of a pipeline: its strictness, the version of the agent, the conversation that it starts from.

use super::Pipeline;
use crate::order::{Strictness, Verifier};
use crate::protocol::RunAgentInput;
use crate::receive::{Intake, PeerCeiling, Reducer};

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
}
