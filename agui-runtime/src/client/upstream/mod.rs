//! Upstreams: sources of frames, such as a server, an agent of this program, a recording, a function.

mod local;
mod replay;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
pub use local::LocalAgent;
pub use replay::{Replay, ReplayError};

use super::{ClientError, Frames, Warnings};
use crate::protocol::{AgentCapabilities, RunAgentInput, ThreadId};

/// A source of runs, which turns an input into frames.
///
/// Every function from an input to [`Frames`] is one. Opening a run does no work yet: frames arrive as they
/// are polled, and dropping them cancels the run.
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
    /// Opens a run with this input, and returns its frames.
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

    /// Like [`open`](Self::open), for an upstream with warnings of its own, such as losses of a transport.
    /// A session opens its upstream with this method; the default ignores `warnings`.
    ///
    /// ```
    /// use agui_runtime::client::{Accept, HttpAgent, Upstream, Warnings};
    /// use agui_runtime::protocol::RunAgentInput;
    ///
    /// # fn example(input: RunAgentInput) -> Result<(), agui_runtime::client::ClientError> {
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.accept(Accept::Binary);
    /// let frames = agent.open_with(input, Warnings::new(|lost| println!("{lost}")));
    /// # Ok(())
    /// # }
    /// ```
    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        drop(warnings);
        self.open(input)
    }

    /// Opens the stream of a thread: the conversation as it is, then the events of the run that goes on, until it ends.
    /// There are no frames if the thread is empty. The default is [`ClientError::NoThreads`].
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, Replay, Upstream, Warnings};
    /// use agui_runtime::protocol::RunAgentInput;
    /// use futures::StreamExt;
    ///
    /// # futures::executor::block_on(async {
    /// let mut frames = Replay::default().connect(RunAgentInput::new("t", "r", []), Warnings::default());
    /// assert!(matches!(frames.next().await, Some(Err(ClientError::NoThreads))));
    /// # });
    /// ```
    fn connect(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        drop((input, warnings));
        stream::iter([Err(ClientError::NoThreads)]).boxed()
    }

    /// Stops the run of a thread that goes on, wherever it is; false if none goes on. The default is
    /// [`ClientError::NoThreads`].
    ///
    /// # Errors
    /// [`ClientError`] if the server cannot be reached, or refuses.
    ///
    /// ```no_run
    /// use agui_runtime::client::{HttpAgent, Upstream};
    ///
    /// # async fn example() -> Result<(), agui_runtime::client::ClientError> {
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?;
    /// let stopped = agent.stop(&"thread-1".into()).await?;
    /// # Ok(())
    /// # }
    /// ```
    fn stop<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<bool, ClientError>> {
        let _ = thread;
        Box::pin(async { Err(ClientError::NoThreads) })
    }

    /// Returns the capabilities that the agent declares, if there is a way to read them (AG-UI 1.0 does not
    /// define one).
    ///
    /// ```
    /// use agui_runtime::client::{LocalAgent, Replay, Upstream};
    /// # use agui_runtime::prelude::*;
    /// #
    /// # /// Repeats the text of the user.
    /// # #[agent]
    /// # async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
    /// #     run.say(input.user_text().unwrap_or_default()).await;
    /// #     Ok(())
    /// # }
    ///
    /// # futures::executor::block_on(async {
    /// let parrot = LocalAgent::new(Parrot::new()).capabilities().await?.expect("an agent declares some");
    /// assert_eq!(parrot.identity.and_then(|identity| identity.name).as_deref(), Some("parrot"));
    /// assert!(Replay::default().capabilities().await?.is_none());
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// # }).unwrap();
    /// ```
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
