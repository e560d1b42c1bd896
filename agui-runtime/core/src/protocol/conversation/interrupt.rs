//! A run's interrupts, and their resume entries (AG-UI 1.0, section "Interrupt and `ResumeEntry`").

use std::ops::{Deref, DerefMut};

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::protocol::any_json::json::{JsonObject, NonNull};
use crate::protocol::forms::object::object;
use crate::protocol::forms::shape::{JsonShape, ShapedType};
use crate::protocol::forms::string_set::string_set;
use crate::protocol::id::{InterruptId, SubagentRunId, ToolCallId};
use crate::protocol::metadata::Metadata;

object! {
    /// An interrupt in JSON form: a run's question to a user. [`Interrupt`](trait@crate::Interrupt) is the typed form.
    ///
    /// ```
    /// use agui_runtime::protocol::Interrupt;
    ///
    /// let question = Interrupt::new("int-1", "confirmation").with_message("Book the room?");
    /// assert_eq!(
    ///     serde_json::to_string(&question).unwrap(),
    ///     r#"{"id":"int-1","reason":"confirmation","message":"Book the room?"}"#,
    /// );
    /// ```
    pub struct Interrupt {
        /// Interrupt id, unique within the run.
        id: InterruptId,
        /// The reason: `tool_call`, `input_required`, `confirmation` or your own, namespaced.
        reason: String,
        /// A prompt for a person.
        message: Option<String> => with_message,
        /// The call that an approval is about.
        tool_call_id as "toolCallId": Option<ToolCallId> => with_tool_call_id,
        /// JSON Schema for the resume payload.
        response_schema as "responseSchema": Option<JsonObject> => with_response_schema,
        /// Until when the interrupt can be resumed, ISO 8601 by convention.
        expires_at as "expiresAt": Option<String> => with_expires_at,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
        /// The invocation that raised the interrupt; absent means the parent agent.
        subagent_run_id as "subagentRunId": Option<SubagentRunId> => with_subagent_run_id,
    }
}

string_set! {
    /// How an interrupt was resumed.
    ///
    /// ```
    /// use agui_runtime::protocol::{ResumeEntry, ResumeStatus};
    ///
    /// let entry: ResumeEntry = serde_json::from_str(r#"{"interruptId":"int-1","status":"cancelled"}"#).unwrap();
    /// assert_eq!(entry.status, ResumeStatus::Cancelled);
    /// ```
    pub enum ResumeStatus: "resume status" {
        /// Resolved; a refusal also resolves the interrupt.
        Resolved = "resolved",
        /// Cancelled.
        Cancelled = "cancelled",
    }
}

object! {
    /// Resumes one interrupt from the previous run.
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
        /// The interrupt.
        interrupt_id as "interruptId": InterruptId,
        /// Resolved or cancelled.
        status: ResumeStatus,
        /// The user's decision or data.
        payload: Option<NonNull> => with_payload,
        /// Free data, not part of the payload.
        metadata: Option<Metadata> => with_metadata,
    }
}

/// A run's interrupts: at least one.
///
/// ```
/// use agui_runtime::protocol::{Interrupt, InterruptList};
///
/// let mut interrupts = InterruptList::from(Interrupt::new("int-1", "confirmation"));
/// interrupts.push(Interrupt::new("int-2", "confirmation"));
/// assert_eq!(interrupts.len(), 2);
/// assert!(InterruptList::try_from(Vec::new()).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterruptList(Vec<Interrupt>);

/// Error for an interrupted run without an interrupt, from [`InterruptList`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an interrupted run has at least one interrupt")]
pub struct NoInterrupts;

impl InterruptList {
    /// Adds an interrupt.
    pub fn push(&mut self, interrupt: Interrupt) {
        self.0.push(interrupt);
    }

    /// Returns all interrupts as a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<Interrupt> {
        self.0
    }
}

impl From<Interrupt> for InterruptList {
    fn from(interrupt: Interrupt) -> Self {
        Self(vec![interrupt])
    }
}

impl TryFrom<Vec<Interrupt>> for InterruptList {
    type Error = NoInterrupts;

    fn try_from(interrupts: Vec<Interrupt>) -> Result<Self, NoInterrupts> {
        if interrupts.is_empty() { Err(NoInterrupts) } else { Ok(Self(interrupts)) }
    }
}

impl Deref for InterruptList {
    type Target = [Interrupt];

    fn deref(&self) -> &[Interrupt] {
        &self.0
    }
}

impl DerefMut for InterruptList {
    fn deref_mut(&mut self) -> &mut [Interrupt] {
        &mut self.0
    }
}

impl ShapedType for InterruptList {
    const SHAPE: JsonShape = JsonShape::List { of: &Interrupt::SHAPE, at_least: 1 };
}

impl Serialize for InterruptList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for InterruptList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Vec::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
