//! Messages from clients and agents.

use serde::{Deserialize, Serialize};

use super::null_is_default;
use super::part::A2aPart;
use crate::protocol::JsonObject;

/// A message from a client or an agent (A2A, section "Message").
///
/// ```
/// use agui_runtime::a2a::{A2aMessage, A2aRole, A2aPart};
///
/// let message = A2aMessage::new("m-1", A2aRole::User, [A2aPart::text("Hi")]);
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
    /// The id, chosen by the sender.
    pub message_id: String,
    /// The conversation id.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub context_id: String,
    /// The task id.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub task_id: String,
    /// The sending side.
    pub role: A2aRole,
    /// The content.
    #[serde(default, deserialize_with = "null_is_default")]
    pub parts: Vec<A2aPart>,
    /// Free data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// URIs naming the extensions that the message uses.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
    /// Other tasks that the message refers to.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub reference_task_ids: Vec<String>,
}

impl A2aMessage {
    /// Builds a message without a task, from [`A2aPart`]s.
    #[must_use]
    pub fn new(id: impl Into<String>, role: A2aRole, parts: impl IntoIterator<Item = A2aPart>) -> Self {
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

/// A message's sender (A2A, section "Role").
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
