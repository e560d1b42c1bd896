//! The methods of the JSON-RPC binding (A2A, section "JSON-RPC Protocol Binding").

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::Desk;
use super::failure::{Failure, failure};
use super::respond;
use crate::a2a::{CancelTask, ErrorCode, GetTask, ListTasks, RpcId, SendMessage, SubscribeToTask, TaskId};
use crate::agent::RunOptions;
use crate::quoted::quoted;
use crate::server::budget::Share;

/// The client of a request, with all that a run needs of it.
pub(super) struct Caller {
    /// The identity; empty for a client without one.
    pub(super) owner: String,
    pub(super) options: RunOptions,
    pub(super) server: RunOptions,
    /// The bytes of the request. Only a request that starts a run takes a place for it.
    pub(super) body: Share,
    /// The URL to which the end of a run is sent.
    pub(super) webhook: Option<String>,
}

impl Desk {
    pub(super) async fn call(
        self: &Arc<Self>,
        id: &RpcId,
        method: &str,
        params: Bytes,
        caller: Caller,
    ) -> Result<Response, Failure> {
        match method {
            "SendMessage" => {
                let request: SendMessage = self.params(params).await?;
                respond::result(id, &self.send(request, caller).await?)
            }
            "SendStreamingMessage" => {
                let request: SendMessage = self.params(params).await?;
                Ok(respond::stream(
                    id.clone(),
                    self.send_streaming(request, caller).await?,
                    self.settings.keep_alive,
                ))
            }
            "GetTask" => {
                let request: GetTask = self.params(params).await?;
                respond::result(id, &self.get(&request, &caller.owner).await?)
            }
            "ListTasks" => {
                let request: ListTasks = self.params(params).await?;
                respond::result(id, &self.list(&request, &caller.owner).await?)
            }
            "CancelTask" => {
                let request: CancelTask = self.params(params).await?;
                respond::result(id, &self.cancel(&request, caller).await?)
            }
            "SubscribeToTask" => {
                let request: SubscribeToTask = self.params(params).await?;
                let updates = self.subscribe(&request, &caller.owner).await?;
                Ok(respond::stream(id.clone(), updates, self.settings.keep_alive))
            }
            "CreateTaskPushNotificationConfig"
            | "GetTaskPushNotificationConfig"
            | "ListTaskPushNotificationConfigs"
            | "DeleteTaskPushNotificationConfig" => Err(no_push()),
            "GetExtendedAgentCard" => {
                Err(failure(ErrorCode::UnsupportedOperation, "the agent has one card, for all clients"))
            }
            _ => {
                let message = format!("there is no method `{}`", quoted(method));
                Err(failure(ErrorCode::MethodNotFound, message))
            }
        }
    }

    async fn params<T: DeserializeOwned + Send + 'static>(&self, params: Bytes) -> Result<T, Failure> {
        let read = self.settings.reading.work(params.len(), move || serde_json::from_slice(&params)).await?;
        read.map_err(|error| {
            let message = format!("malformed parameters: {}", quoted(crate::json::message(&error)));
            failure(ErrorCode::InvalidParams, message)
        })
    }

    async fn get(&self, request: &GetTask, owner: &str) -> Result<crate::a2a::A2aTask, Failure> {
        let id = TaskId::read(&request.id)?;
        let mut loaded = self.load(owner, &id, None).await?;
        super::load::with_history(loaded.view.task().clone(), request.history_length)
    }
}

pub(super) fn no_push() -> Failure {
    failure(ErrorCode::PushNotificationNotSupported, "clients cannot name a webhook: subscribe to the task")
}
