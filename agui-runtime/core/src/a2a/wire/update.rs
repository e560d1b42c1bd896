//! Stream updates.

use serde::{Deserialize, Serialize};

use super::message::A2aMessage;
use super::task::{A2aArtifact, A2aTask, TaskStatus};
use crate::protocol::JsonObject;

/// One update in a stream (A2A, section "Stream Response"), or the response to `SendMessage`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum A2aUpdate {
    Task(A2aTask),
    Message(A2aMessage),
    StatusUpdate(StatusUpdate),
    ArtifactUpdate(ArtifactUpdate),
}

/// A status change (A2A, section "TaskStatusUpdateEvent").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusUpdate {
    pub(crate) task_id: String,
    #[serde(default, deserialize_with = "super::null_is_default")]
    pub(crate) context_id: String,
    pub(crate) status: TaskStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<JsonObject>,
}

/// A new artifact, or an artifact chunk (A2A, section "TaskArtifactUpdateEvent").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArtifactUpdate {
    pub(crate) task_id: String,
    #[serde(default, deserialize_with = "super::null_is_default")]
    pub(crate) context_id: String,
    pub(crate) artifact: A2aArtifact,
    /// True if the parts continue earlier ones.
    #[serde(
        default,
        deserialize_with = "super::null_is_default",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(crate) append: bool,
    #[serde(
        default,
        deserialize_with = "super::null_is_default",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(crate) last_chunk: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<JsonObject>,
}
