//! A waiting task as an interrupt, and the resume entry as the task's next message.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::a2a::wire::{A2aMessage, Part, PartContent, TaskState};
use crate::protocol::{Interrupt, InterruptId, JsonObject, Metadata, ResumeEntry, ResumeStatus};

/// Prefix for this module's interrupt ids. The ids contain the task, so no server has to remember it.
const PREFIX: &str = "a2a:";

/// A task that an interrupt stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The conversation's name on this side: another delegation in the run may have interrupted too.
    pub(super) conversation: String,
    pub(super) task: String,
    pub(super) context: String,
}

impl Asked {
    fn id(&self) -> InterruptId {
        let Self { conversation, task, context } = self;
        let [task, context] = [task, context].map(|text| URL_SAFE_NO_PAD.encode(text));
        format!("{PREFIX}{conversation}:{task}:{context}").into()
    }

    /// Parses an interrupt id; `None` for a foreign id.
    fn read(id: &InterruptId) -> Option<Self> {
        let (conversation, asked) = id.as_str().strip_prefix(PREFIX)?.split_once(':')?;
        let (task, context) = asked.split_once(':')?;
        let text = |encoded: &str| String::from_utf8(URL_SAFE_NO_PAD.decode(encoded).ok()?).ok();
        Some(Self { conversation: conversation.to_owned(), task: text(task)?, context: text(context)? })
    }
}

/// Returns the interrupt for a waiting task.
pub(super) fn question(asked: &Asked, state: TaskState, message: Option<&A2aMessage>) -> Interrupt {
    let reason = if state == TaskState::AuthRequired { "auth_required" } else { "input_required" };
    let mut question = Interrupt::new(asked.id(), reason);
    let parts = message.map_or(&[][..], |message| message.parts.as_slice());
    let text = Part::text_of(parts);
    question.message = (!text.is_empty()).then_some(text);
    // An agent of this crate says which answer it takes.
    let only = parts.iter().find_map(only_schema);
    question.response_schema = only;
    if let Some(Ok(message)) = message.map(serde_json::to_value) {
        question.metadata = Some(Metadata::from(JsonObject::from_iter([("a2a".to_owned(), message)])));
    }
    question
}

/// Returns the response schema, if a part describes exactly one interrupt. Agents built with this crate send one.
fn only_schema(part: &Part) -> Option<JsonObject> {
    let PartContent::Data(data) = &part.content else { return None };
    match data.get("interrupts")?.as_array()?.as_slice() {
        [question] => question.get("responseSchema")?.as_object().cloned(),
        _ => None,
    }
}

/// A resume entry for one of this module's interrupts.
pub(super) struct Answered {
    pub(super) asked: Asked,
    /// `None` if the entry is cancelled.
    pub(super) parts: Option<Vec<Part>>,
}

/// Finds the resume entry for a conversation among the run's entries.
pub(super) fn answered(resume: &[ResumeEntry], conversation: &str) -> Option<Answered> {
    resume.iter().find_map(|entry| {
        let asked = Asked::read(&entry.interrupt_id).filter(|asked| asked.conversation == conversation)?;
        let is_resolved = entry.status == ResumeStatus::Resolved;
        let parts = is_resolved.then(|| match entry.payload.as_deref() {
            Some(Value::String(text)) => vec![Part::text(text)],
            Some(payload) => vec![Part::data(payload.clone())],
            None => vec![Part::text("")],
        });
        Some(Answered { asked, parts })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_its_task() {
        let asked =
            Asked { conversation: "agui-1".to_owned(), task: "t:1".to_owned(), context: "c/ü".to_owned() };
        let question = question(&asked, TaskState::InputRequired, None);
        let answer = |name| answered(&[ResumeEntry::new(question.id.clone(), ResumeStatus::Cancelled)], name);
        assert_eq!(answer("agui-1").map(|answer| answer.asked), Some(asked));
        assert!(answer("agui-2").is_none());
        for other in ["", "a2a:", "a2a:x", "a2a:x:y", "confirm#1", "a2a:*:*:*"] {
            assert_eq!(Asked::read(&other.into()), None, "{other}");
        }
    }
}
