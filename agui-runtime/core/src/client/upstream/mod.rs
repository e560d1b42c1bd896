//! Upstreams: frame sources, such as a server, a local agent, a recording, a function.

mod local;
mod replay;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
pub use local::LocalAgent;
pub use replay::{Replay, ReplayError};

use super::{ClientError, Frames, Warnings};
use crate::protocol::{AgentCapabilities, RunAgentInput, ThreadId};

/// A source of runs: turns an input into frames.
///
/// Every function from an input to [`Frames`] is an upstream. Opening a run does no work yet: frames arrive when polled, and
/// dropping them cancels the run.
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
    message = "`{Self}` is not a source of runs for a session",
    label = "not an `Upstream`",
    note = "write `HttpAgent::new(url)?`, `LocalAgent::new(agent)`, `Replay::of_events(events)` or `|input: RunAgentInput| -> Frames`"
)]
pub trait Upstream: Send + Sync + 'static {
    /// Opens a run with this input, and returns the frames.
    ///
    /// ```
    /// use agui_runtime::client::{Frames, Replay, Session, Upstream};
    /// use agui_runtime::protocol::RunAgentInput;
    ///
    /// /// Answers every request with the same recording.
    /// struct Forever(String);
    ///
    /// impl Upstream for Forever {
    ///     fn open(&self, input: RunAgentInput) -> Frames {
    ///         Replay::from_lines(&self.0).open(input)
    ///     }
    /// }
    ///
    /// # futures::executor::block_on(async {
    /// let failed = Forever(r#"{"type":"RUN_ERROR","message":"no flour"}"#.to_owned());
    /// let mut session: Session = Session::new(failed);
    /// session.run().await?;
    /// session.run().await?;
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// # }).unwrap();
    /// ```
    fn open(&self, input: RunAgentInput) -> Frames;

    /// Like [`open`](Self::open), for an upstream that reports warnings, such as transport losses. A session calls this method;
    /// the default ignores `warnings`.
    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        drop(warnings);
        self.open(input)
    }

    /// Opens a thread's stream: the current conversation, then the ongoing run's events until the end. An empty thread gives no
    /// frames. The default is [`ClientError::NoThreads`].
    fn connect(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        drop((input, warnings));
        stream::iter([Err(ClientError::NoThreads)]).boxed()
    }

    /// Stops the thread's ongoing run, wherever the run executes; false if there is no ongoing run. The default is
    /// [`ClientError::NoThreads`].
    ///
    /// # Errors
    /// [`ClientError`] if the server cannot be reached, or refuses.
    fn stop<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<bool, ClientError>> {
        let _ = thread;
        Box::pin(async { Err(ClientError::NoThreads) })
    }

    /// Returns the agent's declared capabilities, if the upstream has a way to read them (AG-UI 1.0 does not define one).
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

    fn connect(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        U::connect(self, input, warnings)
    }

    fn stop<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<bool, ClientError>> {
        U::stop(self, thread)
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        U::capabilities(self)
    }
}
