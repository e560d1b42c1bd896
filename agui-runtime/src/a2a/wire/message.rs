//! The messages of the two sides.

use serde::{Deserialize, Serialize};

use super::null_is_default;
use super::part::Part;
use crate::protocol::JsonObject;

/// A message of a client or of an agent (A2A, section "Message").
///
/// ```
/// use agui_runtime::a2a::{A2aMessage, A2aRole, Part};
///
/// let message = A2aMessage::new("m-1", A2aRole::User, [Part::text("Hi")]);
/// assert_eq!(
///     serde_json::to_string(&message)?,
///     r#"{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Hi"}]}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct A2aMessage {
    /// The id that its sender gave it.
    pub message_id: String,
    /// The conversation.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub context_id: String,
    /// The task.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub task_id: String,
    /// The side that sent it.
    pub role: A2aRole,
    /// The content.
    #[serde(default, deserialize_with = "null_is_default")]
    pub parts: Vec<Part>,
    /// Free data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// The extensions that the message uses, by their URIs.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
    /// Other tasks that the message is about.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub reference_task_ids: Vec<String>,
}

impl A2aMessage {
    /// Returns a message that names no task.
    ///
    /// ```
    /// use agui_runtime::a2a::{A2aMessage, A2aRole};
    ///
    /// assert_eq!(A2aMessage::new("m-1", A2aRole::User, []).task_id, "");
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, role: A2aRole, parts: impl IntoIterator<Item = Part>) -> Self {
        Self {
            message_id: id.into(),
            context_id: String::new(),
            task_id: String::new(),
            role,
            parts: parts.into_iter().collect(),
            metadata: None,
            extensions: Vec::new(),
            reference_task_ids: Vec::new(),
        }
    }
}

/// The sender of a message (A2A, section "Role").
///
/// ```
/// use agui_runtime::a2a::A2aRole;
///
/// assert_eq!(serde_json::to_string(&A2aRole::Agent)?, r#""ROLE_AGENT""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum A2aRole {
    /// The client.
    #[serde(rename = "ROLE_USER")]
    User,
    /// The agent.
    #[serde(rename = "ROLE_AGENT")]
    Agent,
}
