//! The A2A operations in any binding (A2A, section "A2A Protocol Operations").

use std::sync::Arc;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::TaskDesk;
use super::failure::{OperationFailure, failure};
use super::follow::{ReaderShare, TaskUpdateStream};
use crate::a2a::{
    A2aTask, A2aUpdate, CancelTask, ErrorCode, GetTask, ListTasks, SendMessage, SubscribeToTask, TaskId,
    TaskList,
};
use crate::agent::RunOptions;
use crate::quoted::quoted;
use crate::server::limits::budget::BodyShare;
use crate::thread::ThreadKey;

/// A request's client, with everything that a run needs.
pub(super) struct A2aCaller {
    /// The identity; empty for a client without one.
    pub(super) owner: String,
    pub(super) options: RunOptions,
    pub(super) server: RunOptions,
    /// The bytes of the request. Only a request that starts a run takes a slot for it.
    pub(super) body: BodyShare,
    /// The URL that receives the run's end.
    pub(super) webhook: Option<String>,
}

/// An operation with parameters.
pub(super) enum TaskOperation {
    Send(SendMessage),
    SendStreaming(SendMessage),
    Get(GetTask),
    List(ListTasks),
    Cancel(CancelTask),
    Subscribe(SubscribeToTask),
    /// An operation on a task's webhooks.
    PushConfig,
    ExtendedCard,
}

impl TaskOperation {
    /// True if the operation reads a task, and starts no run. A repeated message also reads a task, but the server finds that out
    /// later.
    pub(super) fn reads(&self) -> bool {
        matches!(self, Self::Get(_) | Self::List(_) | Self::Cancel(_) | Self::Subscribe(_))
    }

    /// Returns the thread of the task that the operation reads.
    pub(super) fn thread(&self, desk: &TaskDesk, caller: &A2aCaller) -> Option<ThreadKey> {
        let id = match self {
            Self::Get(GetTask { id, .. })
            | Self::Cancel(CancelTask { id, .. })
            | Self::Subscribe(SubscribeToTask { id, .. }) => id,
            _ => return None,
        };
        TaskId::read(id).ok().map(|id| desk.key(&caller.owner, id.thread()))
    }
}

/// An operation's result.
pub(super) enum OperationResult {
    Sent(A2aUpdate, ReaderShare),
    Task(A2aTask),
    List(TaskList),
    Stream(TaskUpdateStream),
}

impl TaskDesk {
    pub(super) async fn call(
        self: &Arc<Self>,
        call: TaskOperation,
        caller: A2aCaller,
    ) -> Result<OperationResult, OperationFailure> {
        match call {
            TaskOperation::Send(request) => {
                let (update, share) = self.send(request, caller).await?;
                Ok(OperationResult::Sent(update, share))
            }
            TaskOperation::SendStreaming(request) => {
                Ok(OperationResult::Stream(self.send_streaming(request, caller).await?))
            }
            TaskOperation::Get(request) => {
                Ok(OperationResult::Task(self.get(&request, &caller.owner).await?))
            }
            TaskOperation::List(request) => {
                Ok(OperationResult::List(self.list(&request, &caller.owner).await?))
            }
            TaskOperation::Cancel(request) => Ok(OperationResult::Task(self.cancel(&request, caller).await?)),
            TaskOperation::Subscribe(request) => {
                Ok(OperationResult::Stream(self.subscribe(&request, &caller.owner).await?))
            }
            TaskOperation::PushConfig => Err(no_push()),
            TaskOperation::ExtendedCard => {
                Err(failure(ErrorCode::UnsupportedOperation, "the agent has one card, for all clients"))
            }
        }
    }

    /// Parses parameters.
    pub(super) async fn params<T: DeserializeOwned + Send + 'static>(
        &self,
        params: Bytes,
    ) -> Result<T, OperationFailure> {
        let read = self.settings.reading.work(params.len(), move || serde_json::from_slice(&params)).await?;
        read.map_err(|error| malformed(&error))
    }

    async fn get(&self, request: &GetTask, owner: &str) -> Result<A2aTask, OperationFailure> {
        let id = TaskId::read(&request.id)?;
        let mut loaded = self.load(owner, &id, None).await?;
        super::load::with_history(loaded.view.task().clone(), request.history_length)
    }
}

/// Returns the failure for malformed parameters.
pub(super) fn malformed(error: &serde_json::Error) -> OperationFailure {
    let message = format!("malformed parameters: {}", quoted(crate::json::message(error)));
    failure(ErrorCode::InvalidParams, message)
}

pub(super) fn no_push() -> OperationFailure {
    failure(ErrorCode::PushNotificationNotSupported, "clients cannot name a webhook: subscribe to the task")
}
