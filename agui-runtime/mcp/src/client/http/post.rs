//! POST requests to the server, and their responses.

use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use reqwest::Method;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{StreamableHttpError, StreamableHttpPostResponse};
use serde_json::{Value, json};

use super::events::SseEvents;
use super::failure::{HttpFailure, McpHttpError};
use super::response::{
    EVENTS, JSON, check_rights, is_about_rights, is_kind, is_type, preview, read, status_error, unexpected,
};
use super::sent::{McpHttpRequest, SESSION};
use super::session::{McpRefusal, RefusalCause};
use super::{HttpRequests, events};

/// Time limit for the response to `server/discover`. After ten seconds rmcp sends the next request over the same transport.
const DISCOVER: Duration = Duration::from_secs(9);

/// Time limit in which a refusal can arrive as the first event.
const FIRST_EVENT: Duration = Duration::from_secs(1);

/// Time limit for the ping that checks a session.
const SESSION_CHECK: Duration = Duration::from_secs(5);

/// The message properties that decide how the response is read.
struct ResponseExpectation {
    /// The request id; notifications have none.
    id: Option<Value>,
    is_discover: bool,
    is_first: bool,
    is_call: bool,
}

impl ResponseExpectation {
    fn from_message(message: &ClientJsonRpcMessage) -> Self {
        let ClientJsonRpcMessage::Request(request) = message else {
            return Self { id: None, is_discover: false, is_first: false, is_call: false };
        };
        let is_discover = matches!(request.request, ClientRequest::DiscoverRequest(_));
        Self {
            id: serde_json::to_value(&request.id).ok(),
            is_discover,
            is_first: is_discover || matches!(request.request, ClientRequest::InitializeRequest(_)),
            is_call: matches!(request.request, ClientRequest::CallToolRequest(_)),
        }
    }
}

impl HttpRequests {
    pub(super) async fn post(
        &self,
        message: &ClientJsonRpcMessage,
        sent: McpHttpRequest,
    ) -> Result<StreamableHttpPostResponse, McpHttpError> {
        let question = ResponseExpectation::from_message(message);
        let posting = self.exchange(message, &question, sent);
        if !question.is_discover {
            return posting.await;
        }
        let answered = tokio::time::timeout(DISCOVER, async {
            match posting.await? {
                StreamableHttpPostResponse::Sse(events, session) => {
                    Ok(StreamableHttpPostResponse::Json(first_response(events).await?, session))
                }
                other => Ok(other),
            }
        });
        answered.await.unwrap_or(Err(HttpFailure::Silent.into()))
    }

    async fn exchange(
        &self,
        message: &ClientJsonRpcMessage,
        question: &ResponseExpectation,
        sent: McpHttpRequest,
    ) -> Result<StreamableHttpPostResponse, McpHttpError> {
        let body = serde_json::to_vec(message)?;
        let response = self.send(Method::POST, &sent, Some(body)).await?;
        let status = response.status();
        check_rights(&response)?;
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            // The answer may come over the stream of the server's own messages.
            let may_come =
                question.id.is_none() || !question.is_first && self.open.load(Ordering::Acquire) > 0;
            let failure = HttpFailure::NoAnswer { status: status.as_u16() };
            return if may_come { Ok(StreamableHttpPostResponse::Accepted) } else { Err(failure.into()) };
        }
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Err(status_error(&response).into());
        }
        let session = response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
        if status.is_success() && is_type(&response, EVENTS) {
            let events = events::sse_events(response, sent.limits.max_sse_event_size, question.id.clone());
            return self.stream(events, session, question, &sent).await;
        }
        if status.is_success() && question.id.is_none() {
            // Nothing is awaited, whatever the body is.
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let failure = status_error(&response);
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
        let body = read(response, &sent.limits).await?;
        if !question.is_first
            && let Some(refusal) = McpRefusal::from_response(status, &body, question.id.as_ref())
            && self.is_session_gone(refusal, question, &sent).await
        {
            return Err(StreamableHttpError::SessionExpired);
        }
        let answer = json_rpc_response(&body, question.id.as_ref());
        match answer {
            Some(answer @ ServerJsonRpcMessage::Error(_)) if !is_about_rights(status) => {
                Ok(StreamableHttpPostResponse::Json(answer, session))
            }
            Some(answer @ ServerJsonRpcMessage::Response(_)) if status.is_success() => {
                Ok(StreamableHttpPostResponse::Json(answer, session))
            }
            _ if status.is_server_error() => Err(failure.into()),
            _ if !status.is_success() => Err(unexpected(format!("HTTP {status}: {}", preview(&body)))),
            _ if kind.as_deref().is_some_and(|kind| is_kind(kind, JSON)) => {
                Err(unexpected(format!("no answer of JSON-RPC: {}", preview(&body))))
            }
            _ => Err(StreamableHttpError::UnexpectedContentType(kind)),
        }
    }

    /// Returns the events, unless the first event says that the session is gone.
    async fn stream(
        &self,
        mut events: SseEvents,
        session: Option<String>,
        question: &ResponseExpectation,
        sent: &McpHttpRequest,
    ) -> Result<StreamableHttpPostResponse, McpHttpError> {
        let mut first = Vec::new();
        if !question.is_first && question.id.is_some() && sent.may_have_session() {
            let waiting = async {
                while let Some(event) = events.next().await {
                    let body = event.as_ref().ok().and_then(|event| event.data.clone());
                    first.push(event);
                    if let Some(body) = body.filter(|data| !data.trim().is_empty()) {
                        return Some(body);
                    }
                }
                None
            };
            let body = tokio::time::timeout(FIRST_EVENT, waiting).await.ok().flatten();
            let refusal =
                body.and_then(|body| McpRefusal::from_response(StatusCode::OK, &body, question.id.as_ref()));
            if let Some(refusal) = refusal
                && self.is_session_gone(refusal, question, sent).await
            {
                return Err(StreamableHttpError::SessionExpired);
            }
        }
        Ok(StreamableHttpPostResponse::Sse(stream::iter(first).chain(events).boxed(), session))
    }

    /// True if the request had no effect because the session is gone. A tool call's refusal may come from the tool, so the refusal
    /// is compared with the refusal of a ping.
    async fn is_session_gone(
        &self,
        refusal: McpRefusal,
        question: &ResponseExpectation,
        sent: &McpHttpRequest,
    ) -> bool {
        if !sent.may_have_session() {
            return false;
        }
        match refusal.cause(sent.headers.contains_key(SESSION)) {
            RefusalCause::Session => true,
            RefusalCause::Other => false,
            RefusalCause::Unclear if !question.is_call => true,
            RefusalCause::Unclear => {
                let check = tokio::time::timeout(SESSION_CHECK, self.refusal_of_ping(sent)).await;
                check.ok().flatten().is_some_and(|other| refusal.is_same(&other))
            }
        }
    }

    async fn refusal_of_ping(&self, sent: &McpHttpRequest) -> Option<McpRefusal> {
        let id = json!("session-check");
        let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let response = self.send(Method::POST, sent, Some(ping.to_string().into_bytes())).await.ok()?;
        let status = response.status();
        let body = if is_type(&response, EVENTS) {
            let mut events = events::sse_events(response, sent.limits.max_sse_event_size, Some(id.clone()));
            loop {
                let data = events.next().await?.ok()?.data.filter(|data| !data.trim().is_empty());
                if let Some(data) = data {
                    break data;
                }
            }
        } else {
            read(response, &sent.limits).await.ok()?
        };
        McpRefusal::from_response(status, &body, Some(&id))
    }
}

/// Reads the JSON-RPC response in a body.
fn json_rpc_response(body: &str, id: Option<&Value>) -> Option<ServerJsonRpcMessage> {
    let mut message = serde_json::from_str::<Value>(body).ok()?;
    events::pair(&mut message, id);
    serde_json::from_value(message).ok()
}

/// Waits for the JSON-RPC response in a stream.
async fn first_response(mut events: SseEvents) -> Result<ServerJsonRpcMessage, McpHttpError> {
    while let Some(event) = events.next().await {
        let message = event?.data.and_then(|data| serde_json::from_str(&data).ok());
        if let Some(answer @ (ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))) = message {
            return Ok(answer);
        }
    }
    Err(StreamableHttpError::UnexpectedEndOfStream)
}
