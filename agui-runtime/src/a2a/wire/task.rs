//! Tasks: their states and their results.

use serde::{Deserialize, Serialize};

use super::message::A2aMessage;
use super::null_is_default;
use super::part::Part;
use crate::protocol::JsonObject;

/// A task: the work on a message, and on those that answer its questions (A2A, section "Task").
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
    /// The id that its server gave it.
    pub id: String,
    /// The conversation.
    #[serde(default, deserialize_with = "null_is_default")]
    pub context_id: String,
    /// The state.
    pub status: TaskStatus,
    /// The results so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Vec<Artifact>>,
    /// The messages so far.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<A2aMessage>,
    /// Free data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

/// The state of a task, with the message that explains it (A2A, section "TaskStatus").
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
    /// A message of the agent, such as a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<A2aMessage>,
    /// The time of the change, ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// The state of a task (A2A, section "TaskState").
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
    /// The agent works.
    #[serde(rename = "TASK_STATE_WORKING")]
    Working,
    /// The agent has done it.
    #[serde(rename = "TASK_STATE_COMPLETED")]
    Completed,
    /// The agent failed.
    #[serde(rename = "TASK_STATE_FAILED")]
    Failed,
    /// The task was cancelled.
    #[serde(rename = "TASK_STATE_CANCELED")]
    Canceled,
    /// The agent waits for the next message of the task.
    #[serde(rename = "TASK_STATE_INPUT_REQUIRED")]
    InputRequired,
    /// The agent refused the task.
    #[serde(rename = "TASK_STATE_REJECTED")]
    Rejected,
    /// The agent waits until the user has authenticated, outside of this protocol.
    #[serde(rename = "TASK_STATE_AUTH_REQUIRED")]
    AuthRequired,
    /// A state that is not set, or that this version does not know.
    #[serde(rename = "TASK_STATE_UNSPECIFIED", other)]
    Unspecified,
}

impl TaskState {
    /// Returns true if the task can never change again.
    ///
    /// ```
    /// assert!(agui_runtime::a2a::TaskState::Rejected.is_terminal());
    /// ```
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// Returns true if the agent waits for the client.
    ///
    /// ```
    /// assert!(agui_runtime::a2a::TaskState::AuthRequired.is_interrupted());
    /// ```
    #[must_use]
    pub fn is_interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

/// A result of a task (A2A, section "Artifact").
///
/// ```
/// use agui_runtime::a2a::{Artifact, Part};
///
/// let artifact = Artifact::new("report", [Part::text("All is well.")]);
/// assert_eq!(
///     serde_json::to_string(&artifact)?,
///     r#"{"artifactId":"report","parts":[{"text":"All is well."}]}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Artifact {
    /// The id, unique within the task.
    pub artifact_id: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A description for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The content.
    #[serde(default, deserialize_with = "null_is_default")]
    pub parts: Vec<Part>,
    /// Free data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// The extensions that the artifact uses, by their URIs.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
}

impl Artifact {
    /// Returns an artifact without a name.
    ///
    /// ```
    /// use agui_runtime::a2a::Artifact;
    ///
    /// assert_eq!(Artifact::new("report", []).name, None);
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, parts: impl IntoIterator<Item = Part>) -> Self {
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
