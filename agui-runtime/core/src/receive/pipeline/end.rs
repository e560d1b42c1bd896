//! A stream's end.

/// How a stream ended that was not refused.
///
/// ```
/// use agui_runtime::protocol::{RunErrorEvent, RunStartedEvent};
/// use agui_runtime::receive::{PipelineEnd, ReceivePipeline};
///
/// let mut pipeline = ReceivePipeline::new();
/// pipeline.receive(RunStartedEvent::new("t", "r").into(), |_, _, _| {})?;
/// assert_eq!(pipeline.end()?, PipelineEnd::Truncated);
/// pipeline.receive(RunErrorEvent::new("no flour").into(), |_, _, _| {})?;
/// assert_eq!(pipeline.end()?, PipelineEnd::Complete, "a failed run is complete too");
/// # Ok::<(), agui_runtime::receive::ReceiveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PipelineEnd {
    /// The last run finished or failed.
    Complete,
    /// The stream stopped inside a run. That is not a success (AG-UI 1.0, section "HTTP exchange").
    Truncated,
}
