//! Questions that stop a run, and their answers (AG-UI 1.0, section "Interrupt and `ResumeEntry`").

use std::ops::{Deref, DerefMut};

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::id::{InterruptId, SubagentRunId, ToolCallId};
use super::json::{JsonObject, NonNull};
use super::metadata::Metadata;
use super::object::object;
use super::shape::{Described, Shape};
use super::string_set::string_set;

object! {
    /// A question that stopped a run.
    pub struct Interrupt {
        /// The question, unique within the run.
        id: InterruptId,
        /// Why: `tool_call`, `input_required`, `confirmation` or your own, namespaced.
        reason: String,
        /// A prompt for a person.
        message: Option<String> => with_message,
        /// The call an approval is about.
        tool_call_id: Option<ToolCallId> => with_tool_call_id,
        /// A JSON Schema of the answer.
        response_schema: Option<JsonObject> => with_response_schema,
        /// When it is too late to answer, ISO 8601 by convention.
        expires_at: Option<String> => with_expires_at,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
        /// The invocation that asks; absent means the parent agent.
        subagent_run_id: Option<SubagentRunId> => with_subagent_run_id,
    }
}

string_set! {
    /// What became of a question.
    pub enum ResumeStatus: "resume status" {
        /// Answered; a refusal is an answer too.
        Resolved = "resolved",
        /// Given up.
        Cancelled = "cancelled",
    }
}

object! {
    /// The answer to one question of the run before.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonObject, ResumeEntry, ResumeStatus};
    /// use serde_json::json;
    ///
    /// let approved = JsonObject::from_iter([("approved".to_owned(), json!(true))]);
    /// let entry = ResumeEntry::new("int-1", ResumeStatus::Resolved).with_payload(approved);
    /// assert_eq!(
    ///     serde_json::to_string(&entry).unwrap(),
    ///     r#"{"interruptId":"int-1","status":"resolved","payload":{"approved":true}}"#,
    /// );
    /// ```
    pub struct ResumeEntry {
        /// The question.
        interrupt_id: InterruptId,
        /// Whether it was answered.
        status: ResumeStatus,
        /// The answer.
        payload: Option<NonNull> => with_payload,
        /// Free data, not part of the answer.
        metadata: Option<Metadata> => with_metadata,
    }
}

/// The questions of an interrupted run: at least one.
///
/// ```
/// use agui_runtime::protocol::{Interrupt, Interrupts};
///
/// let mut interrupts = Interrupts::from(Interrupt::new("int-1", "confirmation"));
/// interrupts.push(Interrupt::new("int-2", "confirmation"));
/// assert_eq!(interrupts.len(), 2);
/// assert!(Interrupts::try_from(Vec::new()).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interrupts(Vec<Interrupt>);

/// An interrupted run without a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an interrupted run has at least one interrupt")]
pub struct NoInterrupts;

impl Interrupts {
    /// Adds a question.
    pub fn push(&mut self, interrupt: Interrupt) {
        self.0.push(interrupt);
    }

    /// All of them, as a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<Interrupt> {
        self.0
    }
}

impl From<Interrupt> for Interrupts {
    fn from(interrupt: Interrupt) -> Self {
        Self(vec![interrupt])
    }
}

impl TryFrom<Vec<Interrupt>> for Interrupts {
    type Error = NoInterrupts;

    fn try_from(interrupts: Vec<Interrupt>) -> Result<Self, NoInterrupts> {
        if interrupts.is_empty() { Err(NoInterrupts) } else { Ok(Self(interrupts)) }
    }
}

impl Deref for Interrupts {
    type Target = [Interrupt];

    fn deref(&self) -> &[Interrupt] {
        &self.0
    }
}

impl DerefMut for Interrupts {
    fn deref_mut(&mut self) -> &mut [Interrupt] {
        &mut self.0
    }
}

impl Described for Interrupts {
    const SHAPE: Shape = Shape::List { of: &Interrupt::SHAPE, at_least: 1 };
}

impl Serialize for Interrupts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Interrupts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Vec::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
