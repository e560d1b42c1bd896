//! The verifier, which checks one event after the other.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::client::Run;
use super::error::{Refusal, Verdict};
use super::spec::Runs;
use super::table::Opened;
use super::{OpenSpan, OrderError, OrderRule, Phase, Strictness};
use crate::order::producer::Producer;
use crate::protocol::{Effect, Event, RunAgentInput, Scope};

/// Decides for each event if it may come next.
///
/// Synchronous and deterministic. A refused event changes nothing, so a caller that forwards a stream may leave the event out and
/// continue. Streams are checked after chunk expansion (AG-UI 1.0, section "Ordering").
///
/// Equal verifiers give the same verdict on every continuation: stream position and opening times are ignored.
///
/// ```
/// use agui_runtime::order::{OrderRule, Verifier};
/// use agui_runtime::protocol::{
///     Event, RunFinishedEvent, RunStartedEvent, TextMessageEndEvent, TextMessageStartEvent,
/// };
///
/// let mut verifier = Verifier::new();
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
pub struct Verifier {
    strictness: Strictness,
    phase: Phase,
    run: Run,
    runs: Runs,
    producer: Producer,
    index: usize,
}

impl Verifier {
    /// Creates a [`Verifier`] that is as strict as the official client.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a verifier with all producer rules: [`Strictness::Producer`].
    ///
    /// ```
    /// use agui_runtime::order::{OrderRule, Verifier};
    /// use agui_runtime::protocol::{Event, RunStartedEvent, ToolCallResultEvent};
    ///
    /// let events: [Event; 2] = [
    ///     RunStartedEvent::new("t", "r").with_protocol_version("1.0").into(),
    ///     ToolCallResultEvent::new("m", "c", "42").into(),
    /// ];
    /// assert!(events.iter().try_for_each(|event| Verifier::new().check(event)).is_err_and(|error| error.index() == 0));
    ///
    /// let mut client = Verifier::new();
    /// assert!(events.iter().try_for_each(|event| client.check(event)).is_ok());
    /// let mut producer = Verifier::producer();
    /// let error = events.iter().try_for_each(|event| producer.check(event)).unwrap_err();
    /// assert_eq!(error.rule(), OrderRule::ResultOfUnknownCall);
    /// ```
    #[must_use]
    pub fn producer() -> Self {
        Self::with_strictness(Strictness::Producer)
    }

    /// Creates a [`Verifier`] with the given strictness.
    #[must_use]
    pub fn with_strictness(strictness: Strictness) -> Self {
        Self { strictness, ..Self::default() }
    }

    /// Declares the input to which the stream responds. From [`Strictness::Spec`] up the first run must have the input's ids. At
    /// [`Strictness::Producer`] the input's tools are frontend tools, and the input's messages are the conversation before the
    /// run. [`Strictness::Client`] ignores the input.
    ///
    /// ```
    /// use agui_runtime::order::{OrderRule, Verifier};
    /// use agui_runtime::protocol::{RunAgentInput, RunStartedEvent};
    ///
    /// let mut verifier = Verifier::producer().answering(&RunAgentInput::new("t", "r-2", []));
    /// let other = RunStartedEvent::new("t", "r-1").with_protocol_version("1.0");
    /// assert_eq!(verifier.check(&other.into()).unwrap_err().rule(), OrderRule::NotTheRequest);
    /// ```
    #[must_use]
    pub fn answering(mut self, input: &RunAgentInput) -> Self {
        self.runs.expect(input);
        self.producer.expect(input);
        self
    }

    /// Declares frontend tools in addition to the input's: at [`Strictness::Producer`] their calls may not get a result.
    ///
    /// ```
    /// use agui_runtime::order::{OrderRule, Verifier};
    /// use agui_runtime::protocol::{
    ///     RunStartedEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
    /// };
    ///
    /// let mut verifier = Verifier::producer().with_frontend_tools(["confirm"]);
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
    /// [`OrderRule::Truncated`] from [`Strictness::Spec`] up, if the stream has no run or stops before its run ended. The official
    /// client accepts such a stream.
    pub fn end(&self) -> Result<(), OrderError> {
        let ended = matches!(self.phase, Phase::Finished | Phase::Failed);
        if self.strictness < Strictness::Spec || ended {
            return Ok(());
        }
        Err(Refusal::new(OrderRule::Truncated).at(self.index, None, None))
    }

    /// Returns the strictness.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.strictness
    }

    /// Returns the stream's phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
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
    pub fn open_in(&self, scope: Scope) -> Vec<OpenSpan> {
        self.run.open(Some(scope))
    }

    fn judge(&self, event: &Event) -> Verdict {
        let effect = event.event_type().effect();
        self.phase.check(effect)?;
        if effect != Effect::StartRun {
            self.run.check(event)?;
        }
        if self.strictness >= Strictness::Spec {
            self.runs.check(event)?;
        }
        if self.strictness >= Strictness::Producer {
            self.producer.check(event, || self.open())?;
        }
        Ok(())
    }

    fn apply(&mut self, event: &Event, index: usize) {
        let effect = event.event_type().effect();
        self.phase = self.phase.after(effect);
        if matches!(effect, Effect::StartRun | Effect::FinishRun | Effect::FailRun) {
            self.run = Run::default();
        }
        self.run.apply(event, Opened(index as u64));
        if self.strictness >= Strictness::Spec {
            self.runs.apply(event);
        }
        if self.strictness >= Strictness::Producer {
            self.producer.apply(event);
        }
    }

    /// The state on which later verdicts depend.
    fn memory(&self) -> (Strictness, Phase, &Run, &Runs, &Producer) {
        (self.strictness, self.phase, &self.run, &self.runs, &self.producer)
    }
}

impl PartialEq for Verifier {
    fn eq(&self, other: &Self) -> bool {
        self.memory() == other.memory()
    }
}

impl Eq for Verifier {}

impl Hash for Verifier {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.memory().hash(state);
    }
}
