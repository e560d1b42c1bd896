//! A turn: one run, and further runs as long as the agent calls frontend tools with a handler.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::time::SystemTime;

use futures_util::StreamExt;

use super::handling::HandlerQueue;
use super::stage::Stage;
use super::{ClientError, FinishedTurn, RunOutcome, Session, Subscriber, TurnUpdate};
use crate::client::middleware::Reading;
use crate::client::{Frames, Next, check_resume};
use crate::protocol::{Event, Message, MessageId, RunAgentInput, RunFinishedOutcome};
use crate::receive::{LegacyTranslator, ReceivePipeline};

/// A session's turn, pulled update by update. Dropping the turn closes the connection, and keeps everything received.
///
/// ```
/// use agui_runtime::client::{Replay, Session, TurnUpdate};
/// use agui_runtime::protocol::Event;
/// use futures::FutureExt;
///
/// # let replay = Replay::from_lines(concat!(
/// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
/// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
/// # async {
/// let mut session: Session = Session::new(replay);
/// let mut turn = session.start();
/// let mut shown = String::new();
/// while let Some(update) = turn.next().await? {
///     if let TurnUpdate::Event { event: Event::TextMessageContent(content), .. } = update {
///         shown.push_str(&content.delta);
///     }
/// }
/// assert_eq!(turn.finish().await?.text(), shown);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// # }.now_or_never().unwrap()?;
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[must_use = "a turn makes progress only while it is polled"]
pub struct Turn<'s, S> {
    pub(super) session: &'s mut Session<S>,
    guest: Option<&'s mut dyn Subscriber>,
    pub(super) phase: Phase,
    /// The current run's input.
    pub(super) input: Option<RunAgentInput>,
    /// The message ids before the turn.
    known: HashSet<MessageId>,
    /// The new messages at the last run's end, before subscribers were notified.
    new: Vec<Message>,
    runs: usize,
    /// True if the turn follows a run started elsewhere: such a turn starts no runs either.
    pub(super) follows: bool,
}

pub(super) enum Phase {
    Starting,
    Reading { frames: Frames, end: Option<Ended> },
    Handling { queue: HandlerQueue, ended: Ended },
    Over(RunOutcome),
    Failed,
}

/// A run's outcome, and whether the run lists the pending calls.
pub(super) struct Ended {
    pub(super) end: RunOutcome,
    pub(super) named: bool,
}

impl<'s, S> Turn<'s, S> {
    pub(super) fn new(session: &'s mut Session<S>, guest: Option<&'s mut dyn Subscriber>) -> Self {
        let known = session.messages().iter().map(|message| message.id().clone()).collect();
        // The session answers pending calls of its own tools first, before it runs the agent.
        let open: VecDeque<_> =
            session.pending_calls().into_iter().filter(|call| session.has_handler(call)).collect();
        let phase = if open.is_empty() {
            Phase::Starting
        } else {
            let end = RunOutcome::Success { result: None, pending: open.iter().cloned().collect() };
            Phase::Handling { queue: open.into(), ended: Ended { end, named: false } }
        };
        Self { session, guest, phase, input: None, known, new: Vec::new(), runs: 0, follows: false }
    }

    /// Returns the session, with everything received so far.
    #[must_use]
    pub fn session(&self) -> &Session<S> {
        self.session
    }

    /// Returns the next update; `None` after the turn's end. Cancel safe: the future can be dropped, and the method called again.
    ///
    /// # Errors
    /// [`ClientError`] if a run cannot be read to the end. The turn is then over.
    pub async fn next(&mut self) -> Result<Option<TurnUpdate>, ClientError> {
        loop {
            match &mut self.phase {
                Phase::Starting => self.ask()?,
                Phase::Reading { frames, .. } => {
                    let failure = match self.session.pipeline.pull() {
                        Ok(Some(event)) => return Ok(Some(self.take(event))),
                        Ok(None) => match frames.next().await {
                            Some(Ok(frame)) => {
                                let Session { pipeline, warnings, .. } = &mut *self.session;
                                frame.push_to(pipeline, &mut |warning| warnings.report(warning));
                                continue;
                            }
                            Some(Err(error)) => error,
                            None => match self.session.pipeline.end() {
                                Ok(end) => {
                                    self.end_run(end);
                                    continue;
                                }
                                Err(error) => error.into(),
                            },
                        },
                        Err(error) => error.into(),
                    };
                    self.fail(failure)?;
                }
                Phase::Handling { .. } => {
                    if let Some(update) = self.handle_next().await {
                        return Ok(Some(update));
                    }
                }
                Phase::Over(_) | Phase::Failed => return Ok(None),
            }
        }
    }

    /// Waits for the turn's end, and returns the result.
    ///
    /// # Errors
    /// As [`next`](Self::next). An already failed turn gives [`RunOutcome::Truncated`].
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    /// # let replay = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
    /// # let mut session: Session = Session::new(replay);
    /// let done = session.start().finish().now_or_never().unwrap()?;
    /// assert_eq!((done.text(), done.runs), ("Hi".to_owned(), 1));
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub async fn finish(mut self) -> Result<FinishedTurn, ClientError> {
        while self.next().await?.is_some() {}
        let outcome = match std::mem::replace(&mut self.phase, Phase::Failed) {
            Phase::Over(outcome) => outcome,
            _ => RunOutcome::Truncated,
        };
        Ok(FinishedTurn { outcome, new_messages: std::mem::take(&mut self.new), runs: self.runs })
    }

    pub(super) fn note_new(&mut self) {
        let messages = self.session.messages().iter();
        self.new = messages.filter(|message| !self.known.contains(message.id())).cloned().collect();
    }

    pub(super) fn stage(&mut self) -> Stage<'_> {
        Stage {
            subscribers: &mut self.session.subscribers,
            guest: self.guest.as_mut().map(|guest| &mut **guest as &mut dyn Subscriber),
            reducer: self.session.pipeline.reducer_mut(),
            input: self.input.as_ref(),
            former: None,
            changed: super::stage::Changed::default(),
        }
    }

    /// Notifies subscribers about changes; true if the typed state must be read again.
    pub(super) fn settle(stage: Stage<'_>) -> bool {
        stage.tell_changes().replaced
    }

    fn ask(&mut self) -> Result<(), ClientError> {
        self.phase = Phase::Failed;
        if self.runs >= self.session.max_runs {
            return Err(ClientError::TooManyRuns { limit: self.session.max_runs });
        }
        // The answers are kept until a run with them has begun.
        let resume = if self.runs == 0 { self.session.resume.clone() } else { None };
        let entries = resume.as_deref().unwrap_or_default();
        check_resume(self.session.pending_interrupts(), entries, SystemTime::now())?;
        self.runs += 1;
        self.input = Some(self.session.input(resume));
        let mut stage = self.stage();
        stage.ask(|subscriber, now| subscriber.on_run_initialized(now));
        let changed = stage.tell_changes();
        if changed.replaced {
            self.session.typed.forget();
        }
        let Some(mut input) = self.input.take() else { return Ok(()) };
        if changed.messages {
            input.messages = self.session.messages().to_vec();
        }
        if changed.state {
            input.state = self.session.sent_state();
        }
        let frames = self.session.open(&mut input, false);
        self.input = Some(input);
        self.phase = Phase::Reading { frames, end: None };
        Ok(())
    }

    fn take(&mut self, event: Event) -> TurnUpdate {
        let ended = match &event {
            Event::RunFinished(finished) => Some(Ended {
                end: self.session.pipeline.reducer().pending_after(finished),
                named: matches!(&finished.outcome, Some(RunFinishedOutcome::Success(success))
                    if success.pending_tool_call_ids.as_ref().is_some_and(|ids| !ids.is_empty())),
            }),
            Event::RunError(error) => Some(Ended {
                end: RunOutcome::Failed { message: error.message.clone(), code: error.code.clone() },
                named: false,
            }),
            Event::RunStarted(_) => {
                self.session.resume = None;
                None
            }
            _ => None,
        };
        if let (Phase::Reading { end, .. }, Some(ended)) = (&mut self.phase, ended) {
            *end = Some(ended);
        }
        let mut stage = self.stage();
        let applied = stage.play(&event);
        let changed = stage.tell_changes();
        if changed.replaced || changed.state {
            self.session.typed.forget();
        }
        self.session.warnings.report_of(&event, &applied);
        TurnUpdate::Event { event, applied }
    }
}

impl<S> Session<S> {
    /// Opens the frames of a run or thread, and gets ready to read them.
    pub(super) fn open(&mut self, input: &mut RunAgentInput, connects: bool) -> Frames {
        let Self { ceiling, strictness, warnings, pipeline, layers, upstream, .. } = self;
        LegacyTranslator::new()
            .with_ceiling(*ceiling)
            .outgoing(input, &mut |warning| warnings.report(warning));
        let reducer = std::mem::take(pipeline).into_reducer();
        *pipeline = ReceivePipeline::with_strictness(*strictness)
            .with_ceiling(*ceiling)
            .for_input_with(input, reducer);
        let reading = Reading::new(*strictness, *ceiling, warnings.clone());
        Next::outermost(layers.clone(), upstream.clone(), reading, connects).open(input.clone())
    }
}

impl<S> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        // After a panic of a hook no hook is called: a second panic while unwinding would abort the
        // program.
        if matches!(self.phase, Phase::Reading { .. }) && !std::thread::panicking() {
            self.phase = Phase::Failed;
            self.finalize();
        }
    }
}

impl<S> fmt::Debug for Turn<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_over = matches!(self.phase, Phase::Over(_) | Phase::Failed);
        f.debug_struct("Turn").field("runs", &self.runs).field("is_over", &is_over).finish_non_exhaustive()
    }
}
