//! What answers an input with frames: a server, an agent of this program, a recording, a function.

mod local;
mod replay;

use futures::future::BoxFuture;
pub use local::LocalAgent;
pub use replay::{Replay, ReplayError};

use super::{ClientError, Frames, Warnings};
use crate::protocol::{AgentCapabilities, RunAgentInput};

/// Something that turns an input into the frames of a run.
///
/// Every function from an input to [`Frames`] is one. Opening does nothing yet: frames come as they are polled, and dropping them cancels
/// the run.
///
/// ```
/// use agui_runtime::client::{Frame, Frames, Session};
/// use agui_runtime::protocol::{Event, RunAgentInput, RunFinishedEvent, RunStartedEvent};
/// use futures::{FutureExt, StreamExt, stream};
///
/// fn nothing(input: RunAgentInput) -> Frames {
///     let events: [Event; 2] = [
///         RunStartedEvent::new(&input.thread_id, &input.run_id).into(),
///         RunFinishedEvent::new(&input.thread_id, &input.run_id).into(),
///     ];
///     stream::iter(events.map(|event| Ok(Frame::from(event)))).boxed()
/// }
///
/// let mut session: Session = Session::new(nothing);
/// let done = session.run().now_or_never().unwrap()?;
/// assert!(done.new_messages.is_empty());
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing a session can ask",
    label = "not an `Upstream`",
    note = "write `HttpAgent::new(url)?`, `LocalAgent::new(agent)`, `Replay::of_events(events)` or `|input: RunAgentInput| -> Frames`"
)]
pub trait Upstream: Send + Sync + 'static {
    /// The frames of a run with this input.
    fn open(&self, input: RunAgentInput) -> Frames;

    /// The same, for an upstream that notices something itself: what a transport cannot say, or reads in another way. A session opens
    /// its upstream with this; most have nothing to tell.
    ///
    /// ```
    /// use agui_runtime::client::{Accept, HttpAgent, Upstream, Warnings};
    /// use agui_runtime::protocol::RunAgentInput;
    ///
    /// # fn example(input: RunAgentInput) -> Result<(), agui_runtime::client::ClientError> {
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.accept(Accept::SnakeCase);
    /// let frames = agent.open_with(input, Warnings::new(|lost| println!("{lost}")));
    /// # Ok(())
    /// # }
    /// ```
    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        drop(warnings);
        self.open(input)
    }

    /// What the agent declares about itself, if it can be asked (AG-UI 1.0 leaves open how).
    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        Box::pin(async { Ok(None) })
    }
}

impl<F: Fn(RunAgentInput) -> Frames + Send + Sync + 'static> Upstream for F {
    fn open(&self, input: RunAgentInput) -> Frames {
        self(input)
    }
}

impl<U: Upstream + ?Sized> Upstream for std::sync::Arc<U> {
    fn open(&self, input: RunAgentInput) -> Frames {
        U::open(self, input)
    }

    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        U::open_with(self, input, warnings)
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        U::capabilities(self)
    }
}
