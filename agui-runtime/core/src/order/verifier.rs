//! The verifier, which checks one event after the other.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::client::ClientRunState;
use super::error::{OrderRefusal, OrderVerdict};
use super::spec::StreamRuns;
use super::table::OpeningTime;
use super::{OpenSpan, OrderError, OrderRule, OrderStrictness, StreamPhase};
use crate::order::producer::ProducerState;
use crate::protocol::{Event, EventEffect, RunAgentInput, SpanKind};

/// Decides for each event if it may come next.
///
/// Synchronous and deterministic. A refused event changes nothing, so a caller that forwards a stream may leave the event out and
/// continue. Streams are checked after chunk expansion (AG-UI 1.0, section "Ordering").
///
/// Equal verifiers give the same verdict on every continuation: stream position and opening times are ignored.
///
/// ```
/// use agui_runtime::order::{OrderRule, OrderVerifier};
/// use agui_runtime::protocol::{
///     Event, RunFinishedEvent, RunStartedEvent, TextMessageEndEvent, TextMessageStartEvent,
/// };
///
/// let mut verifier = OrderVerifier::new();
/// verifier.check(&RunStartedEvent::new("t", "r").into())?;
/// verifier.check(&TextMessageStartEvent::new("m").into())?;
///
/// let finished: Event = RunFinishedEvent::new("t", "r").into();
/// assert_eq!(verifier.check(&finished).unwrap_err().rule(), OrderRule::FinishWithOpenText);
///
/// verifier.check(&TextMessageEndEvent::new("m").into())?;
/// verifier.check(&finished)?;
/// # Ok::<(), agui_runtime::order::OrderError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OrderVerifier {
    strictness: OrderStrictness,
    phase: StreamPhase,
    run: ClientRunState,
    runs: StreamRuns,
    producer: ProducerState,
    index: usize,
}

impl OrderVerifier {
    /// Creates a [`OrderVerifier`] that is as strict as the official client.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a verifier with all producer rules: [`OrderStrictness::Producer`].
    ///
    /// ```
    /// use agui_runtime::order::{OrderRule, OrderVerifier};
    /// use agui_runtime::protocol::{Event, RunStartedEvent, ToolCallResultEvent};
    ///
    /// let events: [Event; 2] = [
    ///     RunStartedEvent::new("t", "r").with_protocol_version("1.0").into(),
    ///     ToolCallResultEvent::new("m", "c", "42").into(),
    /// ];
    /// assert!(events.iter().try_for_each(|event| OrderVerifier::new().check(event)).is_err_and(|error| error.index() == 0));
    ///
    /// let mut client = OrderVerifier::new();
    /// assert!(events.iter().try_for_each(|event| client.check(event)).is_ok());
    /// let mut producer = OrderVerifier::producer();
    /// let error = events.iter().try_for_each(|event| producer.check(event)).unwrap_err();
    /// assert_eq!(error.rule(), OrderRule::ResultOfUnknownCall);
    /// ```
    #[must_use]
    pub fn producer() -> Self {
        Self::with_strictness(OrderStrictness::Producer)
    }

    /// Creates a [`OrderVerifier`] with the given strictness.
    #[must_use]
    pub fn with_strictness(strictness: OrderStrictness) -> Self {
        Self { strictness, ..Self::default() }
    }

    /// Declares the input to which the stream responds. From [`OrderStrictness::Spec`] up the first run must have the input's ids. At
    /// [`OrderStrictness::Producer`] the input's tools are frontend tools, and the input's messages are the conversation before the
    /// run. [`OrderStrictness::Client`] ignores the input.
    ///
    /// ```
    /// use agui_runtime::order::{OrderRule, OrderVerifier};
    /// use agui_runtime::protocol::{RunAgentInput, RunStartedEvent};
    ///
    /// let mut verifier = OrderVerifier::producer().for_input(&RunAgentInput::new("t", "r-2", []));
    /// let other = RunStartedEvent::new("t", "r-1").with_protocol_version("1.0");
    /// assert_eq!(verifier.check(&other.into()).unwrap_err().rule(), OrderRule::NotTheRequest);
    /// ```
    #[must_use]
    pub fn for_input(mut self, input: &RunAgentInput) -> Self {
        self.runs.expect(input);
        self.producer.expect(input);
        self
    }

    /// Declares frontend tools in addition to the input's: at [`OrderStrictness::Producer`] their calls may not get a result.
    ///
    /// ```
    /// use agui_runtime::order::{OrderRule, OrderVerifier};
    /// use agui_runtime::protocol::{
    ///     RunStartedEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
    /// };
    ///
    /// let mut verifier = OrderVerifier::producer().with_frontend_tools(["confirm"]);
    /// verifier.check(&RunStartedEvent::new("t", "r").with_protocol_version("1.0").into())?;
    /// verifier.check(&ToolCallStartEvent::new("c", "confirm").into())?;
    /// verifier.check(&ToolCallEndEvent::new("c").into())?;
    /// let error = verifier.check(&ToolCallResultEvent::new("m", "c", "yes").into()).unwrap_err();
    /// assert_eq!(error.rule(), OrderRule::ResultOfFrontendCall);
    /// # Ok::<(), agui_runtime::order::OrderError>(())
    /// ```
    #[must_use]
    pub fn with_frontend_tools<N: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.producer.frontend_tools(names.into_iter().map(Into::into));
        self
    }

    /// Checks the next event and takes it in.
    ///
    /// # Errors
    /// [`OrderError`] if the event may not come next. Then only the event counter has changed.
    pub fn check(&mut self, event: &Event) -> Result<(), OrderError> {
        let index = self.index;
        self.index += 1;
        match self.judge(event) {
            Ok(()) => {
                self.apply(event, index);
                Ok(())
            }
            Err(refusal) => Err(refusal.at(index, Some(event.event_type()), event.scope_id())),
        }
    }

    /// Checks a whole stream and its end.
    ///
    /// # Errors
    /// [`OrderError`] for the first event that is not allowed at its position, or for the end.
    pub fn check_all<'e>(&mut self, events: impl IntoIterator<Item = &'e Event>) -> Result<(), OrderError> {
        events.into_iter().try_for_each(|event| self.check(event))?;
        self.end()
    }

    /// Declares the stream's end.
    ///
    /// # Errors
    /// [`OrderRule::Truncated`] from [`OrderStrictness::Spec`] up, if the stream has no run or stops before its run ended. The official
    /// client accepts such a stream.
    pub fn end(&self) -> Result<(), OrderError> {
        let ended = matches!(self.phase, StreamPhase::Finished | StreamPhase::Failed);
        if self.strictness < OrderStrictness::Spec || ended {
            return Ok(());
        }
        Err(OrderRefusal::new(OrderRule::Truncated).at(self.index, None, None))
    }

    /// Returns the strictness.
    #[must_use]
    pub fn strictness(&self) -> OrderStrictness {
        self.strictness
    }

    /// Returns the stream's phase.
    #[must_use]
    pub fn phase(&self) -> StreamPhase {
        self.phase
    }

    /// Returns the number of checked events, including refused ones.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the open spans in opening order. Nothing is open outside a run.
    #[must_use]
    pub fn open(&self) -> Vec<OpenSpan> {
        self.run.open(None)
    }

    /// Returns one kind's open spans in opening order.
    #[must_use]
    pub fn open_in(&self, scope: SpanKind) -> Vec<OpenSpan> {
        self.run.open(Some(scope))
    }

    fn judge(&self, event: &Event) -> OrderVerdict {
        let effect = event.event_type().effect();
        self.phase.check(effect)?;
        if effect != EventEffect::StartRun {
            self.run.check(event)?;
        }
        if self.strictness >= OrderStrictness::Spec {
            self.runs.check(event)?;
        }
        if self.strictness >= OrderStrictness::Producer {
            self.producer.check(event, || self.open())?;
        }
        Ok(())
    }

    fn apply(&mut self, event: &Event, index: usize) {
        let effect = event.event_type().effect();
        self.phase = self.phase.after(effect);
        if matches!(effect, EventEffect::StartRun | EventEffect::FinishRun | EventEffect::FailRun) {
            self.run = ClientRunState::default();
        }
        self.run.apply(event, OpeningTime(index as u64));
        if self.strictness >= OrderStrictness::Spec {
            self.runs.apply(event);
        }
        if self.strictness >= OrderStrictness::Producer {
            self.producer.apply(event);
        }
    }

    /// The state on which later verdicts depend.
    fn memory(&self) -> (OrderStrictness, StreamPhase, &ClientRunState, &StreamRuns, &ProducerState) {
        (self.strictness, self.phase, &self.run, &self.runs, &self.producer)
    }
}

impl PartialEq for OrderVerifier {
    fn eq(&self, other: &Self) -> bool {
        self.memory() == other.memory()
    }
}

impl Eq for OrderVerifier {}

impl Hash for OrderVerifier {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.memory().hash(state);
    }
}
