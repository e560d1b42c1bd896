//! Stream updates as AG-UI events.

mod artifacts;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::HashSet;

use serde_json::Value;

use self::artifacts::TaskArtifacts;
use self::texts::ArtifactTexts;
use crate::a2a::wire::{
    A2aArtifact, A2aMessage, A2aPart, A2aRole, A2aTask, A2aUpdate, TaskState, TaskStatus,
};
use crate::protocol::{
    ActivitySnapshotEvent, Event, JsonObject, MessageId, TextMessageContentEvent, TextMessageEndEvent,
    TextMessageStartEvent,
};

/// Activity types for an artifact, and for a message, with files or data.
const ARTIFACT: &str = "a2a-artifact";
const MESSAGE: &str = "a2a-message";

/// The part of a remote task that the run has already emitted.
#[derive(Default)]
pub(super) struct TaskTranslation {
    pub(super) task_id: String,
    pub(super) context_id: String,
    /// The latest status; `None` before the first.
    pub(super) status: Option<TaskStatus>,
    /// The agent's message, if the agent responded without a task.
    pub(super) message: Option<A2aMessage>,
    /// True if the status comes from a whole task: after a resume message, the stream's first task still shows the earlier
    /// interrupt.
    is_tentative: bool,
    artifacts: TaskArtifacts,
    texts: ArtifactTexts,
    said: HashSet<String>,
    events: Vec<Event>,
}

impl TaskTranslation {
    /// Takes an update, and returns events for its new content.
    pub(super) fn take(&mut self, update: A2aUpdate) -> Vec<Event> {
        match update {
            A2aUpdate::Task(task) => self.take_task(task),
            A2aUpdate::Message(message) => {
                self.say(&message);
                self.context_id.clone_from(&message.context_id);
                self.message = Some(message);
            }
            A2aUpdate::StatusUpdate(update) => {
                self.know(&update.task_id, &update.context_id);
                self.take_status(update.status);
            }
            A2aUpdate::ArtifactUpdate(update) => {
                self.know(&update.task_id, &update.context_id);
                self.take_artifact(update.artifact, update.append, update.last_chunk);
            }
        }
        std::mem::take(&mut self.events)
    }

    /// Takes a waiting task's artifacts, which an earlier run has shown.
    pub(super) fn know_shown(&mut self, task: A2aTask) {
        for artifact in task.artifacts.unwrap_or_default() {
            self.take_artifact(artifact, false, true);
        }
        self.events.clear();
        self.texts.forget_messages();
    }

    /// Takes a task that still waits because the agent refused the resume message: the interrupt explains why.
    pub(super) fn take_refused(&mut self, mut task: A2aTask, why: &str) {
        self.know(&task.id, &task.context_id);
        let none = || A2aMessage::new("", A2aRole::Agent, []);
        let question = task.status.message.get_or_insert_with(none);
        let line = if A2aPart::text_of(&question.parts).is_empty() { "" } else { "\n" };
        question.parts.push(A2aPart::text(format!("{line}{why}")));
        self.status = Some(task.status);
    }

    /// Returns all artifacts, whole.
    pub(super) fn artifacts(&self) -> &[A2aArtifact] {
        &self.artifacts.all
    }

    /// Returns the task's state.
    pub(super) fn state(&self) -> TaskState {
        self.status.as_ref().map_or(TaskState::Unspecified, |status| status.state)
    }

    /// True if no update follows, even on an open stream.
    pub(super) fn is_over(&self) -> bool {
        let is_asking = self.state().is_interrupted() && !self.is_tentative;
        self.message.is_some() || self.state().is_terminal() || is_asking
    }

    /// True if no update follows after the stream's end.
    pub(super) fn is_over_at_end(&self) -> bool {
        self.is_over() || self.state().is_interrupted()
    }

    fn know(&mut self, task: &str, context: &str) {
        if self.task_id.is_empty() {
            task.clone_into(&mut self.task_id);
            context.clone_into(&mut self.context_id);
        }
    }

    /// Takes a whole task: the stream's first update, or the response from an agent without streaming.
    fn take_task(&mut self, task: A2aTask) {
        self.know(&task.id, &task.context_id);
        let is_over = task.status.state.is_terminal() || task.status.state.is_interrupted();
        for artifact in task.artifacts.unwrap_or_default() {
            self.take_artifact(artifact, false, is_over);
        }
        self.take_status(task.status);
        self.is_tentative = true;
    }

    fn take_status(&mut self, status: TaskStatus) {
        // A question is asked by the interrupt.
        if let Some(message) = status.message.as_ref().filter(|_| !status.state.is_interrupted()) {
            let is_failure =
                matches!(status.state, TaskState::Failed | TaskState::Rejected | TaskState::Canceled);
            if !is_failure {
                self.say(message);
            }
        }
        self.status = Some(status);
        self.is_tentative = false;
        if self.is_over() {
            self.texts.end_all(&mut self.events);
            for id in self.artifacts.ids() {
                self.show_data(&id, true);
            }
        }
    }

    fn take_artifact(&mut self, artifact: A2aArtifact, append: bool, is_last: bool) {
        let id = artifact.artifact_id.clone();
        let text = A2aPart::text_of(&artifact.parts);
        let is_new = self.artifacts.keep(artifact, append);
        self.show_data(&id, is_last);
        if is_new && (!text.is_empty() || self.texts.has(&id)) {
            self.texts.show(&id, &text, append, &mut self.events);
        }
        if is_last {
            self.texts.end(&id, &mut self.events);
        }
    }

    fn show_data(&mut self, id: &str, is_last: bool) {
        if let Some(artifact) = self.artifacts.due(id, is_last) {
            let content = as_object(artifact);
            let event = ActivitySnapshotEvent::new(format!("a2a-{id}"), ARTIFACT, content).with_replace(true);
            self.events.push(event.into());
        }
    }

    /// Emits an agent message once.
    fn say(&mut self, message: &A2aMessage) {
        if !self.said.insert(message.message_id.clone()) {
            return;
        }
        let (id, text) = (MessageId::from(message.message_id.as_str()), A2aPart::text_of(&message.parts));
        if !text.is_empty() {
            self.events.push(TextMessageStartEvent::new(id.clone()).into());
            self.events.push(TextMessageContentEvent::new(id.clone(), text).into());
            self.events.push(TextMessageEndEvent::new(id).into());
        }
        if message.parts.iter().any(|part| part.as_text().is_none()) {
            let id = format!("a2a-{}", message.message_id);
            self.events.push(ActivitySnapshotEvent::new(id, MESSAGE, as_object(message)).into());
        }
    }
}

/// Returns a value as activity content.
fn as_object<T: serde::Serialize>(value: &T) -> JsonObject {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => JsonObject::new(),
    }
}
