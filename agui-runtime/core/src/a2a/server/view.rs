//! A task as the client sees it: run events folded into a task and stream updates.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use super::incoming::message_of;
use super::outcome::TaskOutcome;
use super::task_id::TaskId;
use crate::a2a::wire::{
    A2aArtifact, A2aMessage, A2aPart, A2aPartContent, A2aTask, A2aUpdate, ArtifactUpdate, StatusUpdate,
    TaskState, TaskStatus,
};
use crate::date;
use crate::protocol::{
    Event, Interrupt, Message, MessageId, RunFinishedEvent, RunFinishedOutcome, RunStartedEvent, TaskForm,
    TextMessageRole, Timestamp, ToolCall, missing_code,
};
use crate::receive::{ReceiveError, ReceivePipeline, Reducer};

/// Ids for artifacts that are no messages. This crate's messages never have such ids.
const STATE: &str = "agui-state";
const RESULT: &str = "agui-result";

/// A task, and the updates not yet sent.
pub(crate) struct TaskView {
    pipeline: ReceivePipeline,
    shown: TaskViewState,
}

/// The task's view, apart from the client pipeline.
struct TaskViewState {
    id: String,
    task: A2aTask,
    /// Artifact positions by id.
    places: HashMap<String, usize>,
    /// Open texts; true for a text with content.
    open: HashMap<MessageId, bool>,
    /// True if the state changed since the last update.
    has_new_state: bool,
    activities: BTreeSet<String>,
    questions: Vec<Interrupt>,
    calls: Vec<ToolCall>,
    runs: usize,
    updates: Vec<A2aUpdate>,
}

impl TaskView {
    pub(crate) fn new(id: &TaskId) -> Self {
        let status = TaskStatus { state: TaskState::Submitted, message: None, timestamp: None };
        let task = A2aTask {
            id: id.to_string(),
            context_id: id.thread().to_owned(),
            status,
            artifacts: Some(Vec::new()),
            history: Vec::new(),
            metadata: None,
        };
        let shown = TaskViewState {
            id: id.to_string(),
            task,
            places: HashMap::new(),
            open: HashMap::new(),
            has_new_state: false,
            activities: BTreeSet::new(),
            questions: Vec::new(),
            calls: Vec::new(),
            runs: 0,
            updates: Vec::new(),
        };
        Self { pipeline: ReceivePipeline::new(), shown }
    }

    /// Takes the next event from one of the task's runs.
    pub(crate) fn take(&mut self, event: Event) -> Result<(), ReceiveError> {
        let Self { pipeline, shown } = self;
        pipeline.receive(event, |event, _, reducer| shown.take(event, reducer))
    }

    /// Returns all updates since the last call. State and activity changes that arrived together form one update.
    pub(crate) fn updates(&mut self) -> Vec<A2aUpdate> {
        self.shown.settle(self.pipeline.reducer());
        std::mem::take(&mut self.shown.updates)
    }

    /// Returns the current task, and discards the updates that led to it.
    pub(crate) fn task(&mut self) -> &A2aTask {
        self.shown.settle(self.pipeline.reducer());
        self.shown.updates.clear();
        &self.shown.task
    }

    pub(crate) fn state(&self) -> TaskState {
        self.shown.task.status.state
    }

    /// Returns the interrupts that wait for the client.
    pub(crate) fn interrupts(&self) -> &[Interrupt] {
        &self.shown.questions
    }

    /// Ends the task, because the interrupts can no longer be resumed.
    pub(crate) fn close_interrupts(&mut self) {
        self.shown.close_interrupts();
    }

    /// Returns the pending frontend tool calls.
    pub(crate) fn calls(&self) -> &[ToolCall] {
        &self.shown.calls
    }
}

impl TaskViewState {
    fn take(&mut self, event: &Event, reducer: &Reducer) {
        match event.event_type().task() {
            TaskForm::Status => self.take_status(event, reducer),
            TaskForm::Text => self.take_text(event),
            TaskForm::Activity => self.activities.extend(event.scope_id().map(str::to_owned)),
            TaskForm::State => self.has_new_state = true,
            TaskForm::Texts => self.restated(reducer.messages()),
            TaskForm::Nothing => {}
        }
    }

    fn take_status(&mut self, event: &Event, reducer: &Reducer) {
        match event {
            Event::RunStarted(started) => self.start(started),
            Event::RunFinished(finished) => self.finish(finished, reducer),
            Event::RunError(error) => self.set(TaskOutcome::failed(error), error.timestamp),
            event => missing_code("task", event.event_type()),
        }
    }

    fn take_text(&mut self, event: &Event) {
        match event {
            Event::TextMessageStart(start) => {
                if matches!(start.role, None | Some(TextMessageRole::Assistant)) {
                    self.open.insert(start.message_id.clone(), false);
                }
            }
            Event::TextMessageContent(content) => self.text(&content.message_id, &content.delta),
            Event::TextMessageEnd(end) => self.end_text(&end.message_id),
            event => missing_code("task", event.event_type()),
        }
    }

    fn start(&mut self, started: &RunStartedEvent) {
        self.leave_status();
        for message in started.input.iter().flat_map(|input| &input.messages) {
            if let Message::User(user) = message {
                let message = self.named(message_of(user));
                self.task.history.push(message);
            }
        }
        self.set(TaskOutcome::silent(TaskState::Working), started.timestamp);
    }

    fn close_interrupts(&mut self) {
        self.leave_status();
        self.set(TaskOutcome::superseded(), None);
    }

    /// Moves the status message to the history, before another status follows.
    fn leave_status(&mut self) {
        self.runs += 1;
        self.questions.clear();
        self.calls.clear();
        self.task.history.extend(self.task.status.message.take());
    }

    fn text(&mut self, id: &MessageId, delta: &str) {
        let Some(has_content) = self.open.get_mut(id) else { return };
        let append = std::mem::replace(has_content, true);
        if append {
            if let Some(A2aUpdate::ArtifactUpdate(last)) = self.updates.last_mut()
                && last.artifact.artifact_id == id.as_str()
                && let [A2aPart { content: A2aPartContent::Text(text), .. }] =
                    last.artifact.parts.as_mut_slice()
            {
                text.push_str(delta);
            } else {
                self.push(A2aArtifact::new(id.as_str(), [A2aPart::text(delta)]), true, false);
            }
            self.grow(id.as_str(), delta);
        } else {
            self.put(A2aArtifact::new(id.as_str(), [A2aPart::text(delta)]), false);
        }
    }

    fn end_text(&mut self, id: &MessageId) {
        if self.open.remove(id) != Some(true) {
            return;
        }
        match self.updates.last_mut() {
            Some(A2aUpdate::ArtifactUpdate(last)) if last.artifact.artifact_id == id.as_str() => {
                last.last_chunk = true;
            }
            // A piece has at least one part.
            _ => self.push(A2aArtifact::new(id.as_str(), [A2aPart::text("")]), true, true),
        }
    }

    /// The agent restated the conversation: messages after the last user message belong to this task.
    fn restated(&mut self, messages: &[Message]) {
        let from = messages.iter().rposition(|message| matches!(message, Message::User(_)));
        let (before, said) = messages.split_at(from.map_or(0, |at| at + 1));
        if let (Some(Message::User(user)), true) = (before.last(), self.task.history.is_empty()) {
            let message = self.named(message_of(user));
            self.task.history.push(message);
        }
        for message in said {
            let Message::Assistant(assistant) = message else { continue };
            let Some(content) = assistant.content.as_deref().filter(|content| !content.is_empty()) else {
                continue;
            };
            let artifact = A2aArtifact::new(assistant.id.as_str(), [A2aPart::text(content)]);
            let known = self.places.get(assistant.id.as_str()).and_then(|at| self.artifacts().get(*at));
            if known != Some(&artifact) {
                self.put(artifact, true);
            }
        }
    }

    fn finish(&mut self, finished: &RunFinishedEvent, reducer: &Reducer) {
        self.settle(reducer);
        if let Some(result) = &finished.result {
            let mut artifact = A2aArtifact::new(RESULT, [A2aPart::data(Value::clone(result))]);
            artifact.name = Some("result".to_owned());
            self.put(artifact, true);
        }
        let ended = match &finished.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                self.questions = outcome.interrupts.to_vec();
                TaskOutcome::asking(&self.questions)
            }
            Some(RunFinishedOutcome::Cancelled(_)) => TaskOutcome::silent(TaskState::Canceled),
            Some(RunFinishedOutcome::Success(outcome)) => {
                let pending = outcome.pending_tool_call_ids.iter().flatten();
                self.calls = pending.filter_map(|id| reducer.tool_call(id.as_str()).cloned()).collect();
                match self.calls.as_slice() {
                    [] => TaskOutcome::silent(TaskState::Completed),
                    calls => TaskOutcome::awaiting(calls),
                }
            }
            None => TaskOutcome::silent(TaskState::Completed),
        };
        self.set(ended, finished.timestamp);
    }

    /// Writes changed activities and the changed state as artifacts.
    fn settle(&mut self, reducer: &Reducer) {
        for id in std::mem::take(&mut self.activities) {
            let Some(Message::Activity(activity)) = reducer.message(&id) else { continue };
            let content = Value::Object(activity.content.clone().into_inner());
            let mut artifact = A2aArtifact::new(id, [A2aPart::data(content)]);
            artifact.name = Some(activity.activity_type.clone());
            self.put(artifact, true);
        }
        if std::mem::take(&mut self.has_new_state) {
            let mut artifact = A2aArtifact::new(STATE, [A2aPart::data(reducer.state().clone())]);
            artifact.name = Some("state".to_owned());
            self.put(artifact, true);
        }
    }

    /// Adds or replaces an artifact.
    fn put(&mut self, artifact: A2aArtifact, is_whole: bool) {
        let known = self.places.get(&artifact.artifact_id).copied();
        let artifacts = self.task.artifacts.get_or_insert_default();
        match known.and_then(|at| artifacts.get_mut(at)) {
            Some(known) => known.clone_from(&artifact),
            None => {
                self.places.insert(artifact.artifact_id.clone(), artifacts.len());
                artifacts.push(artifact.clone());
            }
        }
        self.push(artifact, false, is_whole);
    }

    /// Adds text to an artifact's last part.
    fn grow(&mut self, id: &str, delta: &str) {
        let at = self.places.get(id).copied();
        let artifact = at.and_then(|at| self.task.artifacts.as_mut()?.get_mut(at));
        if let Some(A2aPart { content: A2aPartContent::Text(text), .. }) =
            artifact.and_then(|artifact| artifact.parts.last_mut())
        {
            text.push_str(delta);
        }
    }

    fn push(&mut self, artifact: A2aArtifact, append: bool, last_chunk: bool) {
        let (task_id, context_id) = self.names();
        let update = ArtifactUpdate { task_id, context_id, artifact, append, last_chunk, metadata: None };
        self.updates.push(A2aUpdate::ArtifactUpdate(update));
    }

    fn set(&mut self, ended: TaskOutcome, time: Option<Timestamp>) {
        let TaskOutcome { state, message } = ended;
        let message = message.map(|mut message| {
            message.message_id = format!("{}:{}", self.id, self.runs);
            self.named(message)
        });
        let timestamp = time.and_then(written);
        self.task.status = TaskStatus { state, message, timestamp };
        let (task_id, context_id) = self.names();
        let status = self.task.status.clone();
        self.updates.push(A2aUpdate::StatusUpdate(StatusUpdate {
            task_id,
            context_id,
            status,
            metadata: None,
        }));
    }

    /// Adds task and context ids to a message.
    fn named(&self, mut message: A2aMessage) -> A2aMessage {
        (message.task_id, message.context_id) = self.names();
        message
    }

    fn names(&self) -> (String, String) {
        (self.task.id.clone(), self.task.context_id.clone())
    }

    fn artifacts(&self) -> &[A2aArtifact] {
        self.task.artifacts.as_deref().unwrap_or_default()
    }
}

/// Formats a time as ISO 8601.
fn written(time: Timestamp) -> Option<String> {
    let since = Duration::from_millis(u64::try_from(time.millis()).ok()?);
    date::write(UNIX_EPOCH.checked_add(since)?)
}
