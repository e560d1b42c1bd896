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

use super::Desk;
use super::binding::Binding;
use super::call::{Call, malformed};
use super::failure::{Failure, failure, no_task};
use super::request::{Received, traced};
use crate::a2a::{CancelTask, ErrorCode, ProtocolError, SubscribeToTask};
use crate::server::origins::gate::pass_thread;
use crate::server::request::input_bytes;

/// The query parameters that are numbers.
const NUMBERS: [&str; 2] = ["pageSize", "historyLength"];
const FLAGS: [&str; 1] = ["includeArtifacts"];

/// The operations that a path alone names.
#[derive(Clone, Copy)]
enum Named {
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
pub(super) fn routes(path: &str) -> Router<Arc<Desk>> {
    let [send, stream, tasks, card] = literal(path);
    let named = |operation| move |desk, request| named(operation, desk, request);
    let configs = below(path, "tasks/{task}/pushNotificationConfigs");
    Router::new()
        .route(&send, post(named(Named::Send)))
        .route(&stream, post(named(Named::SendStreaming)))
        .route(&tasks, get(named(Named::List)))
        .route(&below(path, "tasks/{task}"), get(task).post(task))
        .route(&configs, get(named(Named::PushConfig)).post(named(Named::PushConfig)))
        .route(
            &format!("{configs}/{{config}}"),
            get(named(Named::PushConfig)).delete(named(Named::PushConfig)),
        )
        .layer(from_fn(pass_thread))
        .route(&card, get(named(Named::ExtendedCard)))
}

async fn named(operation: Named, State(desk): State<Arc<Desk>>, request: Request) -> Response {
    traced(desk, request, |desk, parts, body| async move {
        if let Named::Send | Named::SendStreaming = operation {
            input_bytes::check_content_type(&parts.headers)?;
        }
        let uri = parts.uri.clone();
        let Received { version, bytes, caller } = desk.receive(parts, body).await?;
        let call = async {
            Ok(match operation {
                Named::Send => Call::Send(desk.body(bytes).await?),
                Named::SendStreaming => Call::SendStreaming(desk.body(bytes).await?),
                Named::List => Call::List(query(&uri, Map::new())?),
                Named::PushConfig => Call::PushConfig,
                Named::ExtendedCard => Call::ExtendedCard,
            })
        };
        desk.answer(Binding::HttpJson, version, caller, call).await
    })
    .await
}

async fn task(
    State(desk): State<Arc<Desk>>,
    named: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    traced(desk, request, |desk, parts, body| async move {
        let (method, uri) = (parts.method.clone(), parts.uri.clone());
        // Clients may send a body that says nothing more.
        let Received { version, caller, .. } = desk.receive(parts, body).await?;
        let call = async {
            let Path(named) = named.map_err(|_| no_task())?;
            of_task(&method, &named, &uri)
        };
        desk.answer(Binding::HttpJson, version, caller, call).await
    })
    .await
}

/// Returns the operation on a task, whose path is the task id, with a verb for all but `GetTask`.
fn of_task(method: &Method, named: &str, uri: &Uri) -> Result<Call, Failure> {
    match (method, named.rsplit_once(':')) {
        (&Method::POST, Some((id, "cancel"))) => Ok(Call::Cancel(CancelTask { id: id.to_owned() })),
        // The definition of the service in the protocol says GET, and its text POST.
        (_, Some((id, "subscribe"))) => Ok(Call::Subscribe(SubscribeToTask { id: id.to_owned() })),
        (&Method::POST, _) => Err(failure(
            ErrorCode::MethodNotFound,
            "expected the path of a task with `:cancel` or `:subscribe`",
        )),
        _ => Ok(Call::Get(query(uri, Map::from_iter([("id".to_owned(), named.into())]))?)),
    }
}

impl Desk {
    /// Parses the parameters in a body.
    async fn body<T: DeserializeOwned + Send + 'static>(&self, bytes: Bytes) -> Result<T, Failure> {
        if let Err(message) = self.check_json(&bytes).await? {
            return Err(Failure::Protocol(ProtocolError::new(ErrorCode::InvalidRequest, message)));
        }
        self.params(bytes).await
    }
}

/// Parses the query parameters, beside the path parameters (A2A, section "Query Parameter Naming for Request Parameters").
fn query<T: DeserializeOwned>(uri: &Uri, of_path: Map<String, Value>) -> Result<T, Failure> {
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
