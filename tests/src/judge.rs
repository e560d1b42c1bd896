//! Our own verifier as judge of producers' streams.

use agui_runtime::order::{OrderError, OrderVerifier};
use agui_runtime::protocol::{Event, RunAgentInput};

/// Checks that `events` is a whole stream under AG-UI 1.0's rules for producers: [`OrderStrictness::Producer`], its end
/// included. Chunks are refused, because they can be judged only after their expansion.
///
/// ```
/// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent};
/// use agui_tests::judge;
///
/// let run: [Event; 2] = [
///     RunStartedEvent::new("t", "r").with_protocol_version("1.0").into(),
///     RunFinishedEvent::new("t", "r").into(),
/// ];
/// assert_eq!(judge::producer(&run), Ok(()));
/// assert_eq!(judge::producer(&run[..1]).unwrap_err().code(), "SPEC_TRUNCATED");
/// ```
///
/// [`OrderStrictness::Producer`]: agui_runtime::order::OrderStrictness::Producer
///
/// # Errors
/// Returns [`OrderError`] for the first event that breaks the order, or for the end.
pub fn producer(events: &[Event]) -> Result<(), OrderError> {
    OrderVerifier::producer().check_all(events)
}

/// The same for a stream that answers `input`, from an agent whose tools of these names run in the user interface: the
/// ids are those of the input, no frontend call has an answer, and calls of the conversation may have one.
///
/// ```
/// use agui_runtime::protocol::{Event, RunAgentInput, RunFinishedEvent, RunStartedEvent};
/// use agui_tests::judge;
///
/// let run: [Event; 2] = [
///     RunStartedEvent::new("t", "r").with_protocol_version("1.0").into(),
///     RunFinishedEvent::new("t", "r").into(),
/// ];
/// assert_eq!(judge::answer(&RunAgentInput::new("t", "r", []), &["confirm"], &run), Ok(()));
/// let error = judge::answer(&RunAgentInput::new("t", "other", []), &[], &run).unwrap_err();
/// assert_eq!(error.code(), "SPEC_NOT_THE_REQUEST");
/// ```
///
/// # Errors
/// As [`producer`].
pub fn answer(input: &RunAgentInput, frontend_tools: &[&str], events: &[Event]) -> Result<(), OrderError> {
    OrderVerifier::producer()
        .for_input(input)
        .with_frontend_tools(frontend_tools.iter().copied())
        .check_all(events)
}

/// Checks that the official client would accept the order of `events`, with any end.
///
/// # Errors
/// Returns [`OrderError`] for the first event that breaks the order.
pub fn client(events: &[Event]) -> Result<(), OrderError> {
    OrderVerifier::new().check_all(events)
}
