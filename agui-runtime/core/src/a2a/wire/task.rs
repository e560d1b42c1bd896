//! Tasks: states and results.

use serde::{Deserialize, Serialize};

use super::message::A2aMessage;
use super::null_is_default;
use super::part::A2aPart;
use crate::protocol::JsonObject;

/// A task: the work on a message, and on later messages that resume the work (A2A, section "Task").
///
/// ```
/// use agui_runtime::a2a::{A2aTask, TaskState};
///
/// let task: A2aTask = serde_json::from_str(
///     r#"{"id":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_WORKING"}}"#,
/// )?;
/// assert!(!task.status.state.is_terminal());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct A2aTask {
    /// The id, chosen by the server.
    pub id: String,
    /// The conversation id.
    #[serde(default, deserialize_with = "null_is_default")]
    pub context_id: String,
    /// The state.
    pub status: TaskStatus,
    /// The results so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Vec<A2aArtifact>>,
    /// The messages so far.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<A2aMessage>,
    /// Free data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

/// A task's state, with the message that explains it (A2A, section "TaskStatus").
///
/// ```
/// use agui_runtime::a2a::{TaskState, TaskStatus};
///
/// let status: TaskStatus = serde_json::from_str(r#"{"state":"TASK_STATE_FAILED"}"#)?;
/// assert_eq!((status.state, status.message), (TaskState::Failed, None));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskStatus {
    /// The state.
    pub state: TaskState,
    /// The agent's message, such as an input request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<A2aMessage>,
    /// The change's time, ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// A task's state (A2A, section "TaskState").
///
/// ```
/// use agui_runtime::a2a::TaskState;
///
/// let states = [TaskState::Completed, TaskState::InputRequired, TaskState::Working];
/// assert_eq!(states.map(TaskState::is_terminal), [true, false, false]);
/// assert_eq!(states.map(TaskState::is_interrupted), [false, true, false]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TaskState {
    /// The task was accepted.
    #[serde(rename = "TASK_STATE_SUBMITTED")]
    Submitted,
    /// The agent works on the task.
    #[serde(rename = "TASK_STATE_WORKING")]
    Working,
    /// The agent has completed the task.
    #[serde(rename = "TASK_STATE_COMPLETED")]
    Completed,
    /// The agent failed.
    #[serde(rename = "TASK_STATE_FAILED")]
    Failed,
    /// The task was cancelled.
    #[serde(rename = "TASK_STATE_CANCELED")]
    Canceled,
    /// The agent waits for the task's next message.
    #[serde(rename = "TASK_STATE_INPUT_REQUIRED")]
    InputRequired,
    /// The agent refused the task.
    #[serde(rename = "TASK_STATE_REJECTED")]
    Rejected,
    /// The agent waits until the user has authenticated outside this protocol.
    #[serde(rename = "TASK_STATE_AUTH_REQUIRED")]
    AuthRequired,
    /// A missing state, or a state unknown to this version.
    #[serde(rename = "TASK_STATE_UNSPECIFIED", other)]
    Unspecified,
}

impl TaskState {
    /// True if the task can never change again.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// True if the agent waits for the client.
    #[must_use]
    pub fn is_interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

/// A task's result (A2A, section "Artifact").
///
/// ```
/// use agui_runtime::a2a::{A2aArtifact, A2aPart};
///
/// let artifact = A2aArtifact::new("report", [A2aPart::text("All is well.")]);
/// assert_eq!(
///     serde_json::to_string(&artifact)?,
///     r#"{"artifactId":"report","parts":[{"text":"All is well."}]}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct A2aArtifact {
    /// The id, unique within the task.
    pub artifact_id: String,
    /// A display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A description for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The content.
    #[serde(default, deserialize_with = "null_is_default")]
    pub parts: Vec<A2aPart>,
    /// Free data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// URIs naming the extensions that the artifact uses.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
}

impl A2aArtifact {
    /// Builds an [`A2aArtifact`] without a name.
    #[must_use]
    pub fn new(id: impl Into<String>, parts: impl IntoIterator<Item = A2aPart>) -> Self {
        Self {
            artifact_id: id.into(),
            name: None,
            description: None,
            parts: parts.into_iter().collect(),
            metadata: None,
            extensions: Vec::new(),
        }
    }
}
