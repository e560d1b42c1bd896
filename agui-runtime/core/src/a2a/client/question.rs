//! A waiting task as an interrupt, and the resume entry as the task's next message.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::a2a::wire::{A2aMessage, A2aPart, A2aPartContent, TaskState};
use crate::protocol::{Interrupt, InterruptId, JsonObject, Metadata, ResumeEntry, ResumeStatus};

/// Prefix for this module's interrupt ids. The ids contain the task, so no server has to remember it.
const PREFIX: &str = "a2a:";

/// A task that an interrupt stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TaskInterrupt {
    /// The conversation's name on this side: another delegation in the run may have interrupted too.
    pub(super) conversation: String,
    pub(super) task: String,
    pub(super) context: String,
}

impl TaskInterrupt {
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
pub(super) fn task_interrupt(
    asked: &TaskInterrupt,
    state: TaskState,
    message: Option<&A2aMessage>,
) -> Interrupt {
    let reason = if state == TaskState::AuthRequired { "auth_required" } else { "input_required" };
    let mut question = Interrupt::new(asked.id(), reason);
    let parts = message.map_or(&[][..], |message| message.parts.as_slice());
    let text = A2aPart::text_of(parts);
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
fn only_schema(part: &A2aPart) -> Option<JsonObject> {
    let A2aPartContent::Data(data) = &part.content else { return None };
    match data.get("interrupts")?.as_array()?.as_slice() {
        [question] => question.get("responseSchema")?.as_object().cloned(),
        _ => None,
    }
}

/// A resume entry for one of this module's interrupts.
pub(super) struct TaskResumeEntry {
    pub(super) asked: TaskInterrupt,
    /// `None` if the entry is cancelled.
    pub(super) parts: Option<Vec<A2aPart>>,
}

/// Finds the resume entry for a conversation among the run's entries.
pub(super) fn task_resume_entry(resume: &[ResumeEntry], conversation: &str) -> Option<TaskResumeEntry> {
    resume.iter().find_map(|entry| {
        let asked =
            TaskInterrupt::read(&entry.interrupt_id).filter(|asked| asked.conversation == conversation)?;
        let is_resolved = entry.status == ResumeStatus::Resolved;
        let parts = is_resolved.then(|| match entry.payload.as_deref() {
            Some(Value::String(text)) => vec![A2aPart::text(text)],
            Some(payload) => vec![A2aPart::data(payload.clone())],
            None => vec![A2aPart::text("")],
        });
        Some(TaskResumeEntry { asked, parts })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_its_task() {
        let asked = TaskInterrupt {
            conversation: "agui-1".to_owned(),
            task: "t:1".to_owned(),
            context: "c/ü".to_owned(),
        };
        let question = task_interrupt(&asked, TaskState::InputRequired, None);
        let answer =
            |name| task_resume_entry(&[ResumeEntry::new(question.id.clone(), ResumeStatus::Cancelled)], name);
        assert_eq!(answer("agui-1").map(|answer| answer.asked), Some(asked));
        assert!(answer("agui-2").is_none());
        for other in ["", "a2a:", "a2a:x", "a2a:x:y", "confirm#1", "a2a:*:*:*"] {
            assert_eq!(TaskInterrupt::read(&other.into()), None, "{other}");
        }
    }
}
