//! The items of a stream as events of AG-UI.

mod artifacts;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::HashSet;

use serde_json::Value;

use self::artifacts::Artifacts;
use self::texts::Texts;
use crate::a2a::wire::{A2aMessage, A2aRole, A2aTask, Artifact, Part, TaskState, TaskStatus, Update};
use crate::protocol::{
    ActivitySnapshotEvent, Event, JsonObject, MessageId, TextMessageContentEvent, TextMessageEndEvent,
    TextMessageStartEvent,
};

/// The type of the activity that stands for an artifact with files or data, and for a message with them.
const ARTIFACT: &str = "a2a-artifact";
const MESSAGE: &str = "a2a-message";

/// A task as far as it was shown.
#[derive(Default)]
pub(super) struct Translation {
    pub(super) task_id: String,
    pub(super) context_id: String,
    /// The last status; `None` before the first.
    pub(super) status: Option<TaskStatus>,
    /// The agent answered with a message, without a task.
    pub(super) message: Option<A2aMessage>,
    /// True if the status is from a whole task: the first item of an answer to a question has the question still.
    is_tentative: bool,
    artifacts: Artifacts,
    texts: Texts,
    said: HashSet<String>,
    events: Vec<Event>,
}

impl Translation {
    /// Takes an item, and returns the events for what is new in it.
    pub(super) fn take(&mut self, update: Update) -> Vec<Event> {
        match update {
            Update::Task(task) => self.take_task(task),
            Update::Message(message) => {
                self.say(&message);
                self.context_id.clone_from(&message.context_id);
                self.message = Some(message);
            }
            Update::StatusUpdate(update) => {
                self.know(&update.task_id, &update.context_id);
                self.take_status(update.status);
            }
            Update::ArtifactUpdate(update) => {
                self.know(&update.task_id, &update.context_id);
                self.take_artifact(update.artifact, update.append, update.last_chunk);
            }
        }
        std::mem::take(&mut self.events)
    }

    /// Takes the artifacts of a task that waits: an earlier run has shown them.
    pub(super) fn know_shown(&mut self, task: A2aTask) {
        for artifact in task.artifacts.unwrap_or_default() {
            self.take_artifact(artifact, false, true);
        }
        self.events.clear();
        self.texts.forget_messages();
    }

    /// Takes a task that still waits, because its agent refused the answer: the question says why.
    pub(super) fn take_refused(&mut self, mut task: A2aTask, why: &str) {
        self.know(&task.id, &task.context_id);
        let none = || A2aMessage::new("", A2aRole::Agent, []);
        let question = task.status.message.get_or_insert_with(none);
        let line = if Part::text_of(&question.parts).is_empty() { "" } else { "\n" };
        question.parts.push(Part::text(format!("{line}{why}")));
        self.status = Some(task.status);
    }

    /// Returns all artifacts, whole.
    pub(super) fn artifacts(&self) -> &[Artifact] {
        &self.artifacts.all
    }

    /// Returns the state of the task.
    pub(super) fn state(&self) -> TaskState {
        self.status.as_ref().map_or(TaskState::Unspecified, |status| status.state)
    }

    /// Returns true if nothing follows, whatever the stream does.
    pub(super) fn is_over(&self) -> bool {
        let is_asking = self.state().is_interrupted() && !self.is_tentative;
        self.message.is_some() || self.state().is_terminal() || is_asking
    }

    /// Returns true if nothing follows, now that the stream has ended.
    pub(super) fn is_over_at_end(&self) -> bool {
        self.is_over() || self.state().is_interrupted()
    }

    fn know(&mut self, task: &str, context: &str) {
        if self.task_id.is_empty() {
            task.clone_into(&mut self.task_id);
            context.clone_into(&mut self.context_id);
        }
    }

    /// Takes a whole task: the first item, or the answer of an agent that does not stream.
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

    fn take_artifact(&mut self, artifact: Artifact, append: bool, is_last: bool) {
        let id = artifact.artifact_id.clone();
        let text = Part::text_of(&artifact.parts);
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

    /// Says a message of the agent, once.
    fn say(&mut self, message: &A2aMessage) {
        if !self.said.insert(message.message_id.clone()) {
            return;
        }
        let (id, text) = (MessageId::from(message.message_id.as_str()), Part::text_of(&message.parts));
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

/// Returns a value as the content of an activity.
fn as_object<T: serde::Serialize>(value: &T) -> JsonObject {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => JsonObject::new(),
    }
}
