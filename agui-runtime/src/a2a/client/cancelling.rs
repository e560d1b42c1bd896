//! A task whose run is dropped.

use std::time::Duration;

use serde_json::Value;

use super::ask::Ask;
use super::exchange::Remote;
use crate::quoted::quoted;

/// The time that an agent has to cancel its task.
const CANCELLING: Duration = Duration::from_secs(10);

/// Cancels the task at its agent when the run is dropped before the end.
pub(super) struct Cancelling {
    pub(super) remote: Remote,
    /// Empty until the id of the task is known.
    pub(super) task: String,
    /// True if the task has ended, or waits for its client.
    pub(super) is_needless: bool,
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        if self.is_needless || self.task.is_empty() {
            return;
        }
        let (remote, task) = (self.remote.clone(), std::mem::take(&mut self.task));
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let cancel = remote.call::<Value>(Ask::Cancel(&task));
            match tokio::time::timeout(CANCELLING, cancel).await {
                Ok(Ok(_)) => tracing::debug!(agent = remote.name, "a task of an A2A agent was cancelled"),
                Ok(Err(error)) => tracing::debug!(error = %quoted(error), "a task was not cancelled"),
                Err(_) => tracing::warn!(agent = remote.name, "an A2A agent did not cancel its task in time"),
            }
        });
    }
}
