//! The items of a stream as events of AG-UI.

use std::collections::HashMap;

use serde_json::Value;

use crate::a2a::wire::{A2aMessage, A2aTask, Artifact, Part, TaskState, TaskStatus, Update};
use crate::protocol::{
    ActivitySnapshotEvent, Event, JsonObject, MessageId, TextMessageContentEvent, TextMessageEndEvent,
    TextMessageStartEvent,
};

/// The type of the activity that stands for an artifact with files or data, and for a message with them.
pub(super) const ARTIFACT: &str = "a2a-artifact";
pub(super) const MESSAGE: &str = "a2a-message";

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
    /// All artifacts, whole.
    pub(super) artifacts: Vec<Artifact>,
    shown: HashMap<String, Shown>,
    said: Vec<String>,
    events: Vec<Event>,
}

/// A text that is shown as a message.
struct Shown {
    message: MessageId,
    text: String,
    is_open: bool,
    /// The number of times that it was replaced.
    version: usize,
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
            self.end_all();
        }
    }

    fn take_artifact(&mut self, artifact: Artifact, append: bool, is_last: bool) {
        let id = artifact.artifact_id.clone();
        let is_text = artifact.parts.iter().all(|part| part.as_text().is_some());
        let text = text_of(&artifact.parts);
        let whole = self.keep(artifact, append);
        if !is_text {
            let content = as_object(&whole);
            let event = ActivitySnapshotEvent::new(format!("a2a-{id}"), ARTIFACT, content).with_replace(true);
            self.events.push(event.into());
        }
        if !text.is_empty() || self.shown.contains_key(&id) {
            self.show(&id, &text, append);
        }
        if is_last {
            self.end(&id);
        }
    }

    /// Keeps an artifact, and returns it whole.
    fn keep(&mut self, artifact: Artifact, append: bool) -> Artifact {
        let known = self.artifacts.iter_mut().find(|known| known.artifact_id == artifact.artifact_id);
        match known {
            Some(known) if append => {
                known.parts.extend(artifact.parts);
                merge(&mut known.parts);
                known.clone()
            }
            Some(known) => {
                known.clone_from(&artifact);
                artifact
            }
            None => {
                self.artifacts.push(artifact.clone());
                artifact
            }
        }
    }

    /// Shows the text of an artifact: the rest of it, if it continues what is shown.
    fn show(&mut self, id: &str, text: &str, append: bool) {
        let Some(shown) = self.shown.get_mut(id) else {
            self.open(id, text, 0);
            return;
        };
        let more = if append { Some(text) } else { text.strip_prefix(shown.text.as_str()) };
        match more {
            Some("") => {}
            Some(more) if shown.is_open => {
                shown.text.push_str(more);
                let event = TextMessageContentEvent::new(shown.message.clone(), more);
                self.events.push(event.into());
            }
            // It has ended, or says something else now: another message does.
            _ => {
                let (text, version) = (more.filter(|_| append).unwrap_or(text).to_owned(), shown.version + 1);
                self.end(id);
                self.open(id, &text, version);
            }
        }
    }

    fn open(&mut self, id: &str, text: &str, version: usize) {
        if text.is_empty() {
            return;
        }
        let message: MessageId = match version {
            0 => id.into(),
            version => format!("{id}:{version}").into(),
        };
        self.events.push(TextMessageStartEvent::new(message.clone()).into());
        self.events.push(TextMessageContentEvent::new(message.clone(), text).into());
        let shown = Shown { message, text: text.to_owned(), is_open: true, version };
        self.shown.insert(id.to_owned(), shown);
    }

    fn end(&mut self, id: &str) {
        if let Some(shown) = self.shown.get_mut(id)
            && std::mem::take(&mut shown.is_open)
        {
            self.events.push(TextMessageEndEvent::new(shown.message.clone()).into());
        }
    }

    fn end_all(&mut self) {
        let mut open: Vec<String> =
            self.shown.iter().filter(|(_, shown)| shown.is_open).map(|(id, _)| id.clone()).collect();
        open.sort_unstable();
        for id in open {
            self.end(&id);
        }
    }

    /// Says a message of the agent, once.
    fn say(&mut self, message: &A2aMessage) {
        if self.said.contains(&message.message_id) {
            return;
        }
        self.said.push(message.message_id.clone());
        let (id, text) = (MessageId::from(message.message_id.as_str()), text_of(&message.parts));
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

fn text_of(parts: &[Part]) -> String {
    parts.iter().filter_map(Part::as_text).collect()
}

/// Joins the pieces of a text, which come in parts of their own.
fn merge(parts: &mut Vec<Part>) {
    use crate::a2a::wire::PartContent::Text;

    let mut merged: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        if let (
            Some(Part { content: Text(text), metadata: None, .. }),
            Part { content: Text(more), metadata: None, .. },
        ) = (merged.last_mut(), &part)
        {
            text.push_str(more);
        } else {
            merged.push(part);
        }
    }
    *parts = merged;
}

/// Returns a value as the content of an activity.
fn as_object<T: serde::Serialize>(value: &T) -> JsonObject {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn update(value: Value) -> Update {
        serde_json::from_value(value).unwrap()
    }

    fn artifact(id: &str, parts: &Value, append: bool, last: bool) -> Update {
        update(json!({ "artifactUpdate": {
            "taskId": "t", "contextId": "c",
            "artifact": { "artifactId": id, "parts": parts }, "append": append, "lastChunk": last,
        } }))
    }

    fn status(state: &str, message: Option<&str>) -> Update {
        let message = message
            .map(|text| json!({ "messageId": text, "role": "ROLE_AGENT", "parts": [{ "text": text }] }));
        update(
            json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": state, "message": message } } }),
        )
    }

    fn taken(updates: impl IntoIterator<Item = Update>) -> (Translation, Vec<String>) {
        let mut translation = Translation::default();
        let mut said = Vec::new();
        for update in updates {
            for event in translation.take(update) {
                said.push(match &event {
                    Event::TextMessageStart(start) => format!("<{}", start.message_id),
                    Event::TextMessageContent(content) => content.delta.clone(),
                    Event::TextMessageEnd(end) => format!("{}>", end.message_id),
                    Event::ActivitySnapshot(activity) => {
                        format!("{}={}", activity.message_id, activity.activity_type)
                    }
                    other => panic!("{other:?}"),
                });
            }
        }
        (translation, said)
    }

    #[test]
    fn chunks_of_several_artifacts_are_messages() {
        let (translation, said) = taken([
            status("TASK_STATE_WORKING", None),
            artifact("a", &json!([{ "text": "Good " }]), false, false),
            artifact("b", &json!([{ "text": "One" }]), false, true),
            artifact("a", &json!([{ "text": "day." }]), true, true),
            status("TASK_STATE_COMPLETED", None),
        ]);
        assert_eq!(said, ["<a", "Good ", "<b", "One", "b>", "day.", "a>"]);
        assert_eq!(translation.artifacts[0].parts, [Part::text("Good day.")]);
        assert!(translation.is_over());
    }

    #[test]
    fn a_task_that_comes_whole_says_what_is_new() {
        let task = |text: &str, state: &str| {
            update(json!({ "task": {
                "id": "t", "contextId": "c", "status": { "state": state },
                "artifacts": [{ "artifactId": "a", "parts": [{ "text": text }] }],
            } }))
        };
        let (_, said) = taken([
            task("Good", "TASK_STATE_WORKING"),
            task("Good day.", "TASK_STATE_WORKING"),
            task("Good day.", "TASK_STATE_COMPLETED"),
            task("Bye.", "TASK_STATE_COMPLETED"),
        ]);
        assert_eq!(said, ["<a", "Good", " day.", "a>", "<a:1", "Bye.", "a:1>"]);
    }

    #[test]
    fn files_and_data_are_activities() {
        let parts =
            json!([{ "text": "See " }, { "raw": "aGk=", "mediaType": "image/png" }, { "data": { "a": 1 } }]);
        let (translation, said) = taken([artifact("a", &parts, false, true)]);
        assert_eq!(said, ["a2a-a=a2a-artifact", "<a", "See ", "a>"]);
        assert_eq!(serde_json::to_value(&translation.artifacts[0].parts).unwrap(), parts);
    }

    #[test]
    fn messages_of_the_agent_are_said_once() {
        let (_, said) = taken([
            status("TASK_STATE_WORKING", Some("Looking")),
            status("TASK_STATE_WORKING", Some("Looking")),
            status("TASK_STATE_INPUT_REQUIRED", Some("Where?")),
        ]);
        assert_eq!(said, ["<Looking", "Looking", "Looking>"]);
    }

    #[test]
    fn text_after_the_end_of_its_artifact_is_another_message() {
        let (_, said) = taken([
            artifact("a", &json!([{ "text": "One" }]), false, true),
            artifact("a", &json!([{ "text": "two" }]), true, true),
        ]);
        assert_eq!(said, ["<a", "One", "a>", "<a:1", "two", "a:1>"]);
    }
}
