//! Parameters for task requests, as a server reads them, and the task list.

use serde::{Deserialize, Serialize};

use super::null_is_default;
use super::task::{A2aTask, TaskState};

/// `GetTask`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetTask {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) history_length: Option<i32>,
}

/// `CancelTask`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CancelTask {
    pub(crate) id: String,
}

/// `SubscribeToTask`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SubscribeToTask {
    pub(crate) id: String,
}

/// `ListTasks` (A2A, section "List Tasks").
#[derive(Clone, Debug, Default, Deserialize)]
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

/// The `ListTasks` response, always with all members.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskList {
    pub(crate) tasks: Vec<A2aTask>,
    pub(crate) next_page_token: String,
    pub(crate) page_size: usize,
    pub(crate) total_size: usize,
}
