//! Threads that the server stores: continuing a thread, and stopping the thread's run.

use futures_util::{StreamExt, stream};

use super::turn::Phase;
use super::{Session, Turn};
use crate::client::ClientError;
use crate::protocol::RunAgentInput;

impl<S> Session<S> {
    /// Continues the thread from the server's current version: after a restart, or on another machine.
    ///
    /// The session takes over the thread's messages, state and open interrupts; unsent messages are dropped. The turn follows an
    /// ongoing run to the end, or ends with the last run's outcome. The turn runs no frontend tool handlers: the next turn does,
    /// as after [`restore`](Self::restore). `None` if the thread is empty, or a server of this crate does not store the thread;
    /// nothing changes then.
    ///
    /// # Errors
    /// [`ClientError::NoThreads`] if the upstream stores no threads, [`ClientError::Status`] with 404 or 405 from most other
    /// servers without threads.
    ///
    /// ```no_run
    /// use agui_runtime::client::{HttpAgent, Session};
    ///
    /// # async fn example() -> Result<(), agui_runtime::client::ClientError> {
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?;
    /// let mut session: Session = Session::new(agent).with_thread_id("thread-1");
    /// if let Some(turn) = session.connect().await? {
    ///     turn.finish().await?;
    /// }
    /// println!("{} messages", session.messages().len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn connect(&mut self) -> Result<Option<Turn<'_, S>>, ClientError> {
        let mut input = RunAgentInput::new(&self.thread_id, self.ids.run(), []);
        let mut frames = self.open(&mut input, true);
        let Some(first) = frames.next().await.transpose()? else { return Ok(None) };
        self.set_messages(Vec::new());
        self.set_state(serde_json::json!({}));
        self.pipeline.reducer_mut().keep_interrupts(|_| false);
        self.resume = None;
        let frames = stream::iter([Ok(first)]).chain(frames).boxed();
        Ok(Some(Turn::following(self, input, Phase::Reading { frames, end: None })))
    }

    /// Returns a request to stop this thread's run, wherever the run executes; false if there is no ongoing run. The run ends
    /// soon, with outcome [`Cancelled`](crate::client::RunOutcome::Cancelled). The future is independent of the session, and can be
    /// polled beside a turn.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    ///
    /// ```no_run
    /// # async fn example(session: &mut agui_runtime::client::Session) -> Result<(), agui_runtime::client::ClientError> {
    /// let stop = session.stop();
    /// let turn = session.start();
    /// let (turn, stopped) = futures::join!(turn.finish(), stop);
    /// println!("{:?} {}", turn?.outcome, stopped?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn stop(&self) -> impl Future<Output = Result<bool, ClientError>> + Send + use<S> {
        let (upstream, thread) = (self.upstream.clone(), self.thread_id.clone());
        async move { upstream.stop(&thread).await }
    }
}

impl<'s, S> Turn<'s, S> {
    fn following(session: &'s mut Session<S>, input: RunAgentInput, phase: Phase) -> Self {
        let mut turn = Turn::new(session, None);
        (turn.input, turn.phase, turn.follows) = (Some(input), phase, true);
        let mut stage = turn.stage();
        stage.ask(|subscriber, now| subscriber.on_run_initialized(now));
        if Self::settle(stage) {
            turn.session.typed.forget();
        }
        turn
    }
}
