//! The `THINKING_*` events from 0.x, which had no ids.

use serde_json::Value;

use super::report::WarningReporter;
use crate::json::RemoveMember as _;
use crate::protocol::{EventType, ReasoningMessageStartEvent, RunId};
use crate::receive::WarningKind;

/// A stream's open span and message.
///
/// An id consists of the run id, which is unique in the thread, and a count: the same stream always gets the same ids.
#[derive(Debug, Clone, Default)]
pub(super) struct ThinkingSpans {
    run: Option<RunId>,
    made: u64,
    span: Option<String>,
    message: Option<String>,
}

impl ThinkingSpans {
    /// Makes the following ids from this run's id.
    pub(super) fn run(&mut self, run: &RunId) {
        self.run = Some(run.clone());
    }

    /// Translates an event, if it is a `THINKING_*` event.
    pub(super) fn translate(&mut self, event: &mut Value, report: &mut WarningReporter<'_>) {
        let (becomes, id) = match report.event() {
            "THINKING_START" => {
                let id = self.make();
                self.span = Some(id.clone());
                (EventType::ReasoningStart, Some(id))
            }
            "THINKING_END" => (EventType::ReasoningEnd, self.span.take()),
            "THINKING_TEXT_MESSAGE_START" => {
                let id = self.make();
                self.message = Some(id.clone());
                (EventType::ReasoningMessageStart, Some(id))
            }
            "THINKING_TEXT_MESSAGE_CONTENT" => (EventType::ReasoningMessageContent, self.message.clone()),
            "THINKING_TEXT_MESSAGE_END" => (EventType::ReasoningMessageEnd, self.message.take()),
            _ => return,
        };
        report.warn(WarningKind::Retired { becomes: becomes.as_str() });
        let id = id.unwrap_or_else(|| {
            let id = self.make();
            report.warn(WarningKind::InventedId { id: id.clone() });
            id
        });
        let Value::Object(members) = event else { return };
        members.insert("type".to_owned(), becomes.as_str().into());
        members.insert("messageId".to_owned(), id.into());
        if becomes == EventType::ReasoningMessageStart {
            members.insert("role".to_owned(), ReasoningMessageStartEvent::ROLE.into());
        }
        if becomes == EventType::ReasoningStart && members.remove_member("title").is_some() {
            report.at("title", |report| report.warn(WarningKind::Lost));
        }
    }

    fn make(&mut self) -> String {
        self.made += 1;
        match &self.run {
            Some(run) => format!("{run}/thinking-{}", self.made),
            None => format!("thinking-{}", self.made),
        }
    }
}
