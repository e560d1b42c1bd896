//! A message to the remote agent, and its task until it has ended or waits.

use std::time::Duration;

use super::ask::Ask;
use super::cancelling::Cancelling;
use super::exchange::Updates;
use super::translate::Translation;
use super::{A2aClient, stopped};
use crate::a2a::A2aError;
use crate::a2a::wire::{A2aMessage, A2aTask, SendMessage, Update};
use crate::agent::Stop;
use crate::emit::Dynamic;

/// The pauses between two looks at a task that cannot be streamed.
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(5);

/// The number of times that a lost stream is continued, unless the task goes on meanwhile.
const ATTEMPTS: usize = 3;

/// The end of a stream that is not the end of its task.
enum Interrupted {
    Lost(A2aError),
    Stop(Stop),
}

impl A2aClient {
    /// Returns a task that waits as far as it was shown before it asked; an empty one for a message that begins a task.
    async fn shown_before(&self, task: &str) -> Result<Translation, Stop> {
        let mut translation = Translation::default();
        if !task.is_empty() {
            let asked: A2aTask = self.remote.call(Ask::Get(task)).await.map_err(stopped)?;
            translation.know_shown(asked);
        }
        Ok(translation)
    }

    /// Sends a message, and shows what the agent does until it has ended or waits.
    pub(super) async fn talk(
        &self,
        message: A2aMessage,
        show: &mut Dynamic<'_>,
        cancelling: &mut Cancelling,
    ) -> Result<Translation, Stop> {
        let mut translation = self.shown_before(&message.task_id).await?;
        let request = SendMessage { message, configuration: Default::default(), metadata: None };
        let streams = self.card.capabilities.streaming;
        let ask = if streams { Ask::SendStreaming(&request) } else { Ask::Send(&request) };
        let mut updates = self.remote.stream(ask).await.map_err(stopped)?;
        let mut without_news = 0;
        loop {
            let mut has_news = false;
            let end = self.read(&mut updates, &mut translation, show, cancelling, &mut has_news).await;
            let early = || self.remote.malformed("a stream that ends before its task");
            without_news = if has_news { 0 } else { without_news + 1 };
            match end {
                Ok(()) if translation.is_over_at_end() => return Ok(translation),
                Ok(()) if translation.task_id.is_empty() => return Err(stopped(early())),
                Ok(()) if without_news > ATTEMPTS => return Err(stopped(self.remote.lost(early()))),
                Err(Interrupted::Lost(error))
                    if translation.task_id.is_empty() || without_news > ATTEMPTS =>
                {
                    return Err(stopped(error));
                }
                Err(Interrupted::Stop(stop)) => return Err(stop),
                Ok(()) | Err(Interrupted::Lost(_)) => updates = self.again(&translation.task_id).await?,
            }
        }
    }

    /// Shows the items of a stream until it ends, and says whether one was new.
    async fn read(
        &self,
        updates: &mut Updates,
        translation: &mut Translation,
        show: &mut Dynamic<'_>,
        cancelling: &mut Cancelling,
        has_news: &mut bool,
    ) -> Result<(), Interrupted> {
        while !translation.is_over() {
            let update = match updates.next().await {
                Ok(Some(update)) => update,
                Ok(None) => return Ok(()),
                Err(error @ A2aError::Lost { .. }) => return Err(Interrupted::Lost(error)),
                Err(error) => return Err(Interrupted::Stop(stopped(error))),
            };
            // A stream that is continued begins with the task as it was.
            let is_whole = matches!(update, Update::Task(_));
            let events = translation.take(update);
            *has_news |= !is_whole || !events.is_empty();
            if cancelling.task.is_empty() {
                cancelling.task.clone_from(&translation.task_id);
            }
            for event in events {
                show.feed(event).await.map_err(|error| Interrupted::Stop(error.into()))?;
            }
        }
        Ok(())
    }

    /// Continues a task whose stream was lost, or looks at one that cannot be streamed.
    async fn again(&self, task: &str) -> Result<Updates, Stop> {
        let mut pause = SHORTEST;
        loop {
            tokio::time::sleep(pause).await;
            if self.card.capabilities.streaming
                && let Ok(updates) = self.remote.stream(Ask::Subscribe(task)).await
            {
                return Ok(updates);
            }
            let found: A2aTask = self.remote.call(Ask::Get(task)).await.map_err(stopped)?;
            let state = found.status.state;
            if state.is_terminal() || state.is_interrupted() {
                return Ok(Updates::only(&self.remote, Update::Task(found)));
            }
            pause = (pause * 2).min(LONGEST);
        }
    }
}
