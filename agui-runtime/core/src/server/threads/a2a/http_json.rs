//! The HTTP+JSON binding: operations as methods and paths (A2A, section "HTTP+JSON/REST Protocol Binding").

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::{Method, Uri};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::TaskDesk;
use super::binding::RequestBinding;
use super::call::{TaskOperation, malformed};
use super::failure::{OperationFailure, failure, no_task};
use super::request::{ReceivedOperation, traced};
use crate::a2a::{CancelTask, ErrorCode, ProtocolError, SubscribeToTask};
use crate::server::origins::gate::pass_thread;
use crate::server::request::input_bytes;

/// The query parameters that are numbers.
const NUMBERS: [&str; 2] = ["pageSize", "historyLength"];
const FLAGS: [&str; 1] = ["includeArtifacts"];

/// The operations that a path alone names.
#[derive(Clone, Copy)]
enum PathOperation {
    Send,
    SendStreaming,
    List,
    PushConfig,
    ExtendedCard,
}

/// Returns the methods and literal paths, which no other agent may have.
pub(in crate::server) fn paths(path: &str) -> [(&'static str, String); 4] {
    let [send, stream, tasks, card] = literal(path);
    [("POST", send), ("POST", stream), ("GET", tasks), ("GET", card)]
}

fn literal(path: &str) -> [String; 4] {
    ["message:send", "message:stream", "tasks", "extendedAgentCard"].map(|name| below(path, name))
}

fn below(path: &str, name: &str) -> String {
    format!("{}/{name}", path.trim_end_matches('/'))
}

/// Returns the routes below an agent's path.
pub(super) fn routes(path: &str) -> Router<Arc<TaskDesk>> {
    let [send, stream, tasks, card] = literal(path);
    let named = |operation| move |desk, request| named(operation, desk, request);
    let configs = below(path, "tasks/{task}/pushNotificationConfigs");
    Router::new()
        .route(&send, post(named(PathOperation::Send)))
        .route(&stream, post(named(PathOperation::SendStreaming)))
        .route(&tasks, get(named(PathOperation::List)))
        .route(&below(path, "tasks/{task}"), get(task).post(task))
        .route(&configs, get(named(PathOperation::PushConfig)).post(named(PathOperation::PushConfig)))
        .route(
            &format!("{configs}/{{config}}"),
            get(named(PathOperation::PushConfig)).delete(named(PathOperation::PushConfig)),
        )
        .layer(from_fn(pass_thread))
        .route(&card, get(named(PathOperation::ExtendedCard)))
}

async fn named(operation: PathOperation, State(desk): State<Arc<TaskDesk>>, request: Request) -> Response {
    traced(desk, request, |desk, parts, body| async move {
        if let PathOperation::Send | PathOperation::SendStreaming = operation {
            input_bytes::check_content_type(&parts.headers)?;
        }
        let uri = parts.uri.clone();
        let ReceivedOperation { version, bytes, caller } = desk.receive(parts, body).await?;
        let call = async {
            Ok(match operation {
                PathOperation::Send => TaskOperation::Send(desk.body(bytes).await?),
                PathOperation::SendStreaming => TaskOperation::SendStreaming(desk.body(bytes).await?),
                PathOperation::List => TaskOperation::List(query(&uri, Map::new())?),
                PathOperation::PushConfig => TaskOperation::PushConfig,
                PathOperation::ExtendedCard => TaskOperation::ExtendedCard,
            })
        };
        desk.operation_response(RequestBinding::HttpJson, version, caller, call).await
    })
    .await
}

async fn task(
    State(desk): State<Arc<TaskDesk>>,
    named: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    traced(desk, request, |desk, parts, body| async move {
        let (method, uri) = (parts.method.clone(), parts.uri.clone());
        // Clients may send a body that says nothing more.
        let ReceivedOperation { version, caller, .. } = desk.receive(parts, body).await?;
        let call = async {
            let Path(named) = named.map_err(|_| no_task())?;
            task_operation(&method, &named, &uri)
        };
        desk.operation_response(RequestBinding::HttpJson, version, caller, call).await
    })
    .await
}

/// Returns the operation on a task, whose path is the task id, with a verb for all but `GetTask`.
fn task_operation(method: &Method, named: &str, uri: &Uri) -> Result<TaskOperation, OperationFailure> {
    match (method, named.rsplit_once(':')) {
        (&Method::POST, Some((id, "cancel"))) => Ok(TaskOperation::Cancel(CancelTask { id: id.to_owned() })),
        // The definition of the service in the protocol says GET, and its text POST.
        (_, Some((id, "subscribe"))) => Ok(TaskOperation::Subscribe(SubscribeToTask { id: id.to_owned() })),
        (&Method::POST, _) => Err(failure(
            ErrorCode::MethodNotFound,
            "expected the path of a task with `:cancel` or `:subscribe`",
        )),
        _ => Ok(TaskOperation::Get(query(uri, Map::from_iter([("id".to_owned(), named.into())]))?)),
    }
}

impl TaskDesk {
    /// Parses the parameters in a body.
    async fn body<T: DeserializeOwned + Send + 'static>(&self, bytes: Bytes) -> Result<T, OperationFailure> {
        if let Err(message) = self.check_json(&bytes).await? {
            return Err(OperationFailure::Protocol(ProtocolError::new(ErrorCode::InvalidRequest, message)));
        }
        self.params(bytes).await
    }
}

/// Parses the query parameters, beside the path parameters (A2A, section "Query Parameter Naming for Request Parameters").
fn query<T: DeserializeOwned>(uri: &Uri, of_path: Map<String, Value>) -> Result<T, OperationFailure> {
    let mut parameters: Map<String, Value> =
        form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
            .map(|(name, text)| (name.to_string(), value(&name, &text)))
            .collect();
    parameters.extend(of_path);
    serde_json::from_value(Value::Object(parameters)).map_err(|error| malformed(&error))
}

/// Returns a parameter as JSON. A malformed value stays text, and is refused later.
fn value(name: &str, text: &str) -> Value {
    let number = || text.parse::<i64>().ok().map(Value::from);
    let flag = || text.parse::<bool>().ok().map(Value::from);
    let read = match name {
        _ if NUMBERS.contains(&name) => number(),
        _ if FLAGS.contains(&name) => flag(),
        _ => None,
    };
    read.unwrap_or_else(|| text.into())
}
