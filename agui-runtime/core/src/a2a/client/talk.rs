//! Sends a message to the remote agent, and follows the task until it ends or waits.

use std::time::Duration;

use tokio::time::Instant;

use super::ask::A2aOperation;
use super::cancelling::RemoteCancelGuard;
use super::exchange::A2aUpdateStream;
use super::refusal::{may_pass, of_message};
use super::translate::TaskTranslation;
use super::{A2aClient, stopped};
use crate::a2a::A2aError;
use crate::a2a::wire::{A2aMessage, A2aTask, A2aUpdate, SendMessage};
use crate::agent::Stop;
use crate::emit::Dynamic;
use crate::jitter::jittered;
use crate::random;

/// Shortest and longest pause between polls for a task that cannot be streamed.
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(5);

/// Attempts to continue a lost stream, counted from the task's last progress.
const ATTEMPTS: usize = 3;

/// A stream ended before the task.
enum StreamInterruption {
    Lost(A2aError),
    Stop(Stop),
}

impl A2aClient {
    /// Sends a message, and emits the agent's work until the task ends or waits.
    pub(super) async fn talk(
        &self,
        message: A2aMessage,
        show: &mut Dynamic<'_>,
        cancelling: &mut RemoteCancelGuard,
    ) -> Result<TaskTranslation, Stop> {
        let mut translation = TaskTranslation::default();
        let talked = self.send(message, &mut translation, show, cancelling).await;
        // A task whose answer was refused, or did not arrive, still waits for it.
        cancelling.is_needless = talked.is_ok() || translation.task_id.is_empty();
        talked.map(|()| translation)
    }

    async fn send(
        &self,
        message: A2aMessage,
        translation: &mut TaskTranslation,
        show: &mut Dynamic<'_>,
        cancelling: &mut RemoteCancelGuard,
    ) -> Result<(), Stop> {
        let answered = message.task_id.clone();
        if !answered.is_empty() {
            translation.know_shown(self.remote.call(A2aOperation::Get(&answered)).await.map_err(stopped)?);
        }
        let request = SendMessage { message, configuration: Default::default(), metadata: None };
        let streams = self.card.capabilities.streaming;
        let ask = if streams { A2aOperation::SendStreaming(&request) } else { A2aOperation::Send(&request) };
        let mut updates = match self.remote.stream(ask).await {
            Ok(updates) => updates,
            // The answer may have arrived.
            Err(A2aError::Lost { .. }) if !answered.is_empty() => self.again(&answered).await?,
            Err(refusal) => return self.interrupt_again(&answered, refusal, translation).await,
        };
        let mut without_news = 0;
        loop {
            let mut has_news = false;
            let end = self.read(&mut updates, translation, show, cancelling, &mut has_news).await;
            without_news = if has_news { 0 } else { without_news + 1 };
            let lost = match end {
                Ok(()) if translation.is_over_at_end() => return Ok(()),
                Ok(()) => self.remote.early(),
                Err(StreamInterruption::Lost(error)) => error,
                Err(StreamInterruption::Stop(stop)) => return Err(stop),
            };
            if translation.task_id.is_empty() || without_news > ATTEMPTS {
                return Err(stopped(lost));
            }
            updates = self.again(&translation.task_id).await?;
        }
    }

    /// Interrupts again if the agent refuses a resume message, and the task still waits.
    async fn interrupt_again(
        &self,
        task: &str,
        refusal: A2aError,
        translation: &mut TaskTranslation,
    ) -> Result<(), Stop> {
        if let Some(why) = of_message(&refusal)
            && !task.is_empty()
            && let Ok(asked) = self.remote.call::<A2aTask>(A2aOperation::Get(task)).await
            && asked.status.state.is_interrupted()
        {
            translation.take_refused(asked, why);
            return Ok(());
        }
        Err(stopped(refusal))
    }

    /// Emits stream updates until the stream ends, and reports through `has_news` if any update was new.
    async fn read(
        &self,
        updates: &mut A2aUpdateStream,
        translation: &mut TaskTranslation,
        show: &mut Dynamic<'_>,
        cancelling: &mut RemoteCancelGuard,
        has_news: &mut bool,
    ) -> Result<(), StreamInterruption> {
        while !translation.is_over() {
            let update = match updates.next().await {
                Ok(Some(update)) => update,
                Ok(None) => return Ok(()),
                Err(error) if may_pass(&error) => return Err(StreamInterruption::Lost(error)),
                Err(error) => return Err(StreamInterruption::Stop(stopped(error))),
            };
            // A stream that is continued begins with the task as it was.
            let is_whole = matches!(update, A2aUpdate::Task(_));
            let events = translation.take(update);
            *has_news |= !is_whole || !events.is_empty();
            if cancelling.task.is_empty() {
                cancelling.task.clone_from(&translation.task_id);
            }
            for event in events {
                show.feed(event).await.map_err(|error| StreamInterruption::Stop(error.into()))?;
            }
        }
        Ok(())
    }

    /// Continues a task whose stream was lost, or polls a task that cannot be streamed. An agent may be unreachable or busy for as
    /// long as it may stay silent.
    async fn again(&self, task: &str) -> Result<A2aUpdateStream, Stop> {
        let (mut pause, mut heard) = (SHORTEST, Instant::now());
        loop {
            tokio::time::sleep(jittered(pause, random::number(task))).await;
            match self.look(task).await {
                Ok(Some(updates)) => return Ok(updates),
                Ok(None) => heard = Instant::now(),
                Err(error) if may_pass(&error) && heard.elapsed() < self.remote.patience => {}
                Err(error) => return Err(stopped(error)),
            }
            pause = (pause * 2).min(LONGEST);
        }
    }

    /// Returns a task's further updates; `None` if the task goes on and cannot be streamed.
    async fn look(&self, task: &str) -> Result<Option<A2aUpdateStream>, A2aError> {
        if self.card.capabilities.streaming
            && let Ok(updates) = self.remote.subscribe(task).await
        {
            return Ok(Some(updates));
        }
        let found: A2aTask = self.remote.call(A2aOperation::Get(task)).await?;
        let state = found.status.state;
        let is_over = state.is_terminal() || state.is_interrupted();
        Ok(is_over.then(|| A2aUpdateStream::only(&self.remote, A2aUpdate::Task(found))))
    }
}
