//! Cancels the remote task when the run is dropped.

use std::time::Duration;

use serde_json::Value;

use super::ask::A2aOperation;
use super::exchange::RemoteAgent;
use crate::quoted::quoted;

/// Time limit for the agent's response to a cancellation.
const CANCELLING: Duration = Duration::from_secs(10);

/// Cancels the remote task if the run is dropped before the end.
pub(super) struct RemoteCancelGuard {
    pub(super) remote: RemoteAgent,
    /// Empty until the task id is known.
    pub(super) task: String,
    /// True if the task has ended, or waits for the client.
    pub(super) is_needless: bool,
}

impl Drop for RemoteCancelGuard {
    fn drop(&mut self) {
        if self.is_needless || self.task.is_empty() {
            return;
        }
        let (remote, task) = (self.remote.clone(), std::mem::take(&mut self.task));
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let cancel = remote.call::<Value>(A2aOperation::Cancel(&task));
            match tokio::time::timeout(CANCELLING, cancel).await {
                Ok(Ok(_)) => tracing::debug!(agent = remote.name, "a task of an A2A agent was cancelled"),
                Ok(Err(error)) => tracing::debug!(error = %quoted(error), "a task was not cancelled"),
                Err(_) => tracing::warn!(agent = remote.name, "an A2A agent did not cancel its task in time"),
            }
        });
    }
}
