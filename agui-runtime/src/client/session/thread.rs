//! Threads that the server stores: continuing one, and stopping its run.

use futures_util::{StreamExt, stream};

use super::turn::Phase;
use super::{Session, Turn};
use crate::client::ClientError;
use crate::protocol::RunAgentInput;

impl<S> Session<S> {
    /// Continues the thread from where the server has it: after a restart, or on another machine.
    ///
    /// The messages, the state and the open interrupts become those of the thread; messages that were not sent yet are
    /// dropped. If a run goes on, the turn follows it to its end, otherwise it ends with the outcome of the last run.
    /// It answers no calls of frontend tools: the next turn does, as after a
    /// [restoration](Self::restore). `None` if the thread is empty, or a server of this crate keeps none, and then nothing
    /// changes.
    ///
    /// # Errors
    /// [`ClientError::NoThreads`] if the upstream stores no threads, [`ClientError::Status`] with 404 or 405 from most
    /// other servers that keep none.
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

    /// Returns a request to stop the run of this thread, wherever it runs; false if none goes on. It ends soon, with
    /// outcome [`Cancelled`](crate::client::Outcome::Cancelled). The future is independent of the session, so that it
    /// can be polled beside a turn.
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
