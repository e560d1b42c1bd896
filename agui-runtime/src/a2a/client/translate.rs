//! The items of a stream as events of AG-UI.

use std::collections::{HashMap, HashSet};

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
    places: HashMap<String, Place>,
    shown: HashMap<String, Shown>,
    said: HashSet<String>,
    events: Vec<Event>,
}

/// An artifact among all.
struct Place {
    at: usize,
    /// True if it has files or data, so that an activity shows it.
    has_data: bool,
    /// True if the activity does not show it as it is.
    is_changed: bool,
    /// The number of parts that the activity shows.
    parts: usize,
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

    /// Takes the artifacts of a task that waits: an earlier run has shown them.
    pub(super) fn know_shown(&mut self, task: A2aTask) {
        for artifact in task.artifacts.unwrap_or_default() {
            self.take_artifact(artifact, false, true);
        }
        self.events.clear();
        for shown in self.shown.values_mut() {
            // An earlier run may have shown the text as several messages. The length of it names none of them.
            shown.version = shown.text.len();
        }
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
        let text = text_of(&artifact.parts);
        let is_new = self.keep(artifact, append);
        self.show_data(&id, is_last);
        if is_new && (!text.is_empty() || self.shown.contains_key(&id)) {
            self.show(&id, &text, append);
        }
        if is_last {
            self.end(&id);
        }
    }

    /// Keeps an artifact. Returns false if it is known as it is.
    fn keep(&mut self, artifact: Artifact, append: bool) -> bool {
        let has_data = artifact.parts.iter().any(|part| part.as_text().is_none());
        let Some(place) = self.places.get_mut(&artifact.artifact_id) else {
            let place = Place { at: self.artifacts.len(), has_data, is_changed: true, parts: 0 };
            self.places.insert(artifact.artifact_id.clone(), place);
            self.artifacts.push(artifact);
            return true;
        };
        let Some(known) = self.artifacts.get_mut(place.at) else { return false };
        if append {
            place.has_data |= has_data;
            join(&mut known.parts, artifact.parts);
        } else if *known == artifact {
            return false;
        } else {
            (place.has_data, place.parts) = (has_data, 0);
            *known = artifact;
        }
        place.is_changed = true;
        true
    }

    /// Shows an artifact with files or data as a whole, at its end and when it has become twice as long: to show it at each piece
    /// would cost the square of its length.
    fn show_data(&mut self, id: &str, is_last: bool) {
        let Some(place) = self.places.get_mut(id).filter(|place| place.has_data && place.is_changed) else {
            return;
        };
        let Some(artifact) = self.artifacts.get(place.at) else { return };
        let count = artifact.parts.len();
        if is_last || count >= 2 * place.parts {
            (place.is_changed, place.parts) = (false, count);
            let content = as_object(artifact);
            let event = ActivitySnapshotEvent::new(format!("a2a-{id}"), ARTIFACT, content).with_replace(true);
            self.events.push(event.into());
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
        let changed = self.artifacts.iter().map(|artifact| artifact.artifact_id.clone());
        for id in changed.collect::<Vec<_>>() {
            self.show_data(&id, true);
        }
    }

    /// Says a message of the agent, once.
    fn say(&mut self, message: &A2aMessage) {
        if !self.said.insert(message.message_id.clone()) {
            return;
        }
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

/// Adds parts to those of an artifact, and joins the pieces of a text, which come in parts of their own.
fn join(parts: &mut Vec<Part>, more: Vec<Part>) {
    use crate::a2a::wire::PartContent::Text;

    for part in more {
        if let (
            Some(Part { content: Text(text), metadata: None, .. }),
            Part { content: Text(more), metadata: None, .. },
        ) = (parts.last_mut(), &part)
        {
            text.push_str(more);
        } else {
            parts.push(part);
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
    fn an_artifact_of_many_pieces_is_shown_a_few_times() {
        let piece = |number: usize| artifact("a", &json!([{ "data": number }]), number > 0, number == 99);
        let (translation, said) = taken((0..100).map(piece));
        assert_eq!(translation.artifacts[0].parts.len(), 100);
        // At 1, 2, 4 … 64 pieces, and at the end.
        assert_eq!(said.len(), 8, "{said:?}");
    }

    #[test]
    fn an_artifact_without_a_last_piece_is_shown_whole_at_the_end() {
        let piece = |number: usize| artifact("a", &json!([{ "data": number }]), number > 0, false);
        let end = status("TASK_STATE_COMPLETED", None);
        let (_, said) = taken((0..3).map(piece).chain([end]));
        // At 1 and 2 pieces, and at the end.
        assert_eq!(said.len(), 3, "{said:?}");
    }

    #[test]
    fn artifacts_from_before_a_question_are_not_shown_again() {
        let task = |text: &str, state: &str| {
            json!({
                "id": "t", "contextId": "c", "status": { "state": state },
                "artifacts": [{ "artifactId": "a", "parts": [{ "text": text }, { "data": 1 }] }],
            })
        };
        let mut translation = Translation::default();
        translation.know_shown(serde_json::from_value(task("One", "TASK_STATE_INPUT_REQUIRED")).unwrap());
        let again = json!({ "task": task("One", "TASK_STATE_INPUT_REQUIRED") });
        assert!(translation.take(update(again)).is_empty());
        assert!(!translation.is_over(), "it is the state from before the answer");
        let changed = json!({ "task": task("Two", "TASK_STATE_COMPLETED") });
        assert_eq!(translation.take(update(changed)).len(), 4);
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
