//! The parameters of requests, and the answers that are no task.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::message::A2aMessage;
use super::null_is_default;
use super::task::{A2aTask, TaskState};
use crate::protocol::JsonObject;

/// `SendMessage` and `SendStreamingMessage` (A2A, section "Send Message").
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendMessage {
    pub(crate) message: A2aMessage,
    #[serde(default, deserialize_with = "null_is_default")]
    pub(crate) configuration: Configuration,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<JsonObject>,
}

/// The wishes of the client.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Configuration {
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub(crate) accepted_output_modes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) history_length: Option<i32>,
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) return_immediately: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) task_push_notification_config: Option<Value>,
}

/// `GetTask`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetTask {
    pub(crate) id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) history_length: Option<i32>,
}

/// `CancelTask`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CancelTask {
    pub(crate) id: String,
}

/// `SubscribeToTask`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SubscribeToTask {
    pub(crate) id: String,
}

/// `ListTasks` (A2A, section "List Tasks").
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ListTasks {
    #[serde(deserialize_with = "null_is_default")]
    pub(crate) context_id: String,
    pub(crate) status: Option<TaskState>,
    pub(crate) page_size: Option<i32>,
    #[serde(deserialize_with = "null_is_default")]
    pub(crate) page_token: String,
    pub(crate) history_length: Option<i32>,
    pub(crate) status_timestamp_after: Option<String>,
    #[serde(deserialize_with = "null_is_default")]
    pub(crate) include_artifacts: bool,
}

/// The answer to `ListTasks`. All its members are always there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskList {
    pub(crate) tasks: Vec<A2aTask>,
    pub(crate) next_page_token: String,
    pub(crate) page_size: usize,
    pub(crate) total_size: usize,
}
