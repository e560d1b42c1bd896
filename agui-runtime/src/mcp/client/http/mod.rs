//! Requests to a server over streamable HTTP, below the transport of rmcp, which keeps the session.

mod events;
mod failure;
mod redirect;
mod session;
mod way;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, stream};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::{Client, Method, Response, Url};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use serde_json::{Value, json};

use self::events::Events;
use self::failure::Error;
use self::session::{Cause, Refusal};

pub(in crate::mcp) use self::failure::HttpFailure;
pub(super) use self::way::Address;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// The headers that the protocol sets.
const RESERVED: [HeaderName; 3] = [ACCEPT, SESSION, LAST_EVENT];

/// The first version that has no sessions.
const WITHOUT_SESSIONS: &[u8] = b"2026-07-28";

/// The time that a server has for the answer to the first question. After ten seconds rmcp asks the next one, over the same
/// transport.
const DISCOVER: Duration = Duration::from_secs(9);

/// The time in which a refusal comes as the first event, if it does.
const FIRST_EVENT: Duration = Duration::from_secs(1);

/// The time that a server has to say that a session is gone.
const SESSION_CHECK: Duration = Duration::from_secs(5);

/// The requests to one server.
#[derive(Clone)]
pub(super) struct HttpRequests {
    client: Client,
    /// The streams of the server's own messages that are open.
    open: Arc<AtomicUsize>,
}

/// What a message wants to know.
struct Question {
    /// The id of a request.
    id: Option<Value>,
    is_discover: bool,
    is_first: bool,
    is_call: bool,
}

impl Question {
    fn of(message: &ClientJsonRpcMessage) -> Self {
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

/// A request as it is sent.
#[derive(Clone)]
struct Sent {
    url: Url,
    headers: HeaderMap,
    limits: StreamableHttpResponseLimits,
}

impl Sent {
    /// True if the request is one of a version that has sessions.
    fn may_have_session(&self) -> bool {
        let version = self.headers.get(VERSION).map(HeaderValue::as_bytes);
        self.headers.contains_key(SESSION) || version.is_some_and(|version| version < WITHOUT_SESSIONS)
    }
}

impl HttpRequests {
    fn new(client: Client) -> Self {
        Self { client, open: Arc::default() }
    }

    async fn post(
        &self,
        message: &ClientJsonRpcMessage,
        sent: Sent,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let question = Question::of(message);
        let posting = self.exchange(message, &question, sent);
        if !question.is_discover {
            return posting.await;
        }
        let answered = tokio::time::timeout(DISCOVER, async {
            match posting.await? {
                StreamableHttpPostResponse::Sse(events, session) => {
                    Ok(StreamableHttpPostResponse::Json(first_answer(events).await?, session))
                }
                other => Ok(other),
            }
        });
        answered.await.unwrap_or(Err(HttpFailure::Silent.into()))
    }

    async fn exchange(
        &self,
        message: &ClientJsonRpcMessage,
        question: &Question,
        sent: Sent,
    ) -> Result<StreamableHttpPostResponse, Error> {
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
            let events = events::of(response, sent.limits.max_sse_event_size, question.id.clone());
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
            && let Some(refusal) = Refusal::of(status, &body, question.id.as_ref())
            && self.is_session_gone(refusal, question, &sent).await
        {
            return Err(StreamableHttpError::SessionExpired);
        }
        let answer = answer(&body, question.id.as_ref());
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

    /// Returns the events, unless the first one says that the session is gone.
    async fn stream(
        &self,
        mut events: Events,
        session: Option<String>,
        question: &Question,
        sent: &Sent,
    ) -> Result<StreamableHttpPostResponse, Error> {
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
            let refusal = body.and_then(|body| Refusal::of(StatusCode::OK, &body, question.id.as_ref()));
            if let Some(refusal) = refusal
                && self.is_session_gone(refusal, question, sent).await
            {
                return Err(StreamableHttpError::SessionExpired);
            }
        }
        Ok(StreamableHttpPostResponse::Sse(stream::iter(first).chain(events).boxed(), session))
    }

    /// True if nothing was done because the session is gone. A call of a tool whose refusal may come from the tool is
    /// compared with the refusal of a request that calls nothing.
    async fn is_session_gone(&self, refusal: Refusal, question: &Question, sent: &Sent) -> bool {
        if !sent.may_have_session() {
            return false;
        }
        match refusal.cause(sent.headers.contains_key(SESSION)) {
            Cause::Session => true,
            Cause::Other => false,
            Cause::Unclear if !question.is_call => true,
            Cause::Unclear => {
                let check = tokio::time::timeout(SESSION_CHECK, self.refusal_of_ping(sent)).await;
                check.ok().flatten().is_some_and(|other| refusal.is_same(&other))
            }
        }
    }

    async fn refusal_of_ping(&self, sent: &Sent) -> Option<Refusal> {
        let id = json!("session-check");
        let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let response = self.send(Method::POST, sent, Some(ping.to_string().into_bytes())).await.ok()?;
        let status = response.status();
        let body = if is_type(&response, EVENTS) {
            let mut events = events::of(response, sent.limits.max_sse_event_size, Some(id.clone()));
            loop {
                let data = events.next().await?.ok()?.data.filter(|data| !data.trim().is_empty());
                if let Some(data) = data {
                    break data;
                }
            }
        } else {
            read(response, &sent.limits).await.ok()?
        };
        Refusal::of(status, &body, Some(&id))
    }

    async fn send(
        &self,
        method: Method,
        sent: &Sent,
        body: Option<Vec<u8>>,
    ) -> Result<Response, HttpFailure> {
        let mut headers = sent.headers.clone();
        let accept = HeaderValue::from_static("text/event-stream, application/json");
        headers.insert(ACCEPT, accept);
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        redirect::send(&self.client, method, sent.url.clone(), headers, body).await
    }
}

/// Reads the answer of a body.
fn answer(body: &str, id: Option<&Value>) -> Option<ServerJsonRpcMessage> {
    let mut message = serde_json::from_str::<Value>(body).ok()?;
    events::pair(&mut message, id);
    serde_json::from_value(message).ok()
}

/// Waits for the answer in a stream.
async fn first_answer(mut events: Events) -> Result<ServerJsonRpcMessage, Error> {
    while let Some(event) = events.next().await {
        let message = event?.data.and_then(|data| serde_json::from_str(&data).ok());
        if let Some(answer @ (ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))) = message {
            return Ok(answer);
        }
    }
    Err(StreamableHttpError::UnexpectedEndOfStream)
}

/// The failure of a status.
fn status_error(response: &Response) -> HttpStatusError {
    let pause = response.headers().get(RETRY_AFTER).and_then(|pause| pause.to_str().ok());
    HttpStatusError::new(response.status().as_u16(), pause.map(str::to_owned))
}

fn unexpected(text: String) -> Error {
    StreamableHttpError::UnexpectedServerResponse(Cow::Owned(text))
}

fn is_about_rights(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

/// Finds the demand for credentials, or for more of them.
fn check_rights(response: &Response) -> Result<(), Error> {
    let Some(demand) = response.headers().get(WWW_AUTHENTICATE) else { return Ok(()) };
    let demand = String::from_utf8_lossy(demand.as_bytes()).into_owned();
    match response.status() {
        StatusCode::UNAUTHORIZED => Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(demand))),
        StatusCode::FORBIDDEN => {
            Err(StreamableHttpError::InsufficientScope(InsufficientScopeError::new(demand, None)))
        }
        _ => Ok(()),
    }
}

/// The beginning of a body, for an error.
fn preview(body: &str) -> &str {
    let end = body.char_indices().nth(256).map_or(body.len(), |(end, _)| end);
    body.get(..end).unwrap_or_default()
}

fn is_kind(given: &str, kind: &str) -> bool {
    given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(kind))
}

fn is_type(response: &Response, kind: &str) -> bool {
    let given = response.headers().get(CONTENT_TYPE).and_then(|given| given.to_str().ok());
    given.is_some_and(|given| is_kind(given, kind))
}

/// Reads a body: that of a message whole, that of an error without a message up to its limit.
async fn read(mut response: Response, limits: &StreamableHttpResponseLimits) -> Result<String, Error> {
    let is_message = is_type(&response, JSON);
    let most = if is_message { limits.max_json_response_size } else { limits.max_error_response_size };
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(HttpFailure::from)? {
        body.extend_from_slice(&bytes);
        if body.len() > most {
            if is_message {
                return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: most });
            }
            break;
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// Counts a stream as long as it is open.
struct Open(Arc<AtomicUsize>);

impl Open {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

type Headers = HashMap<HeaderName, HeaderValue>;

fn sent(
    uri: &str,
    session: Option<&str>,
    token: Option<&str>,
    custom: Headers,
    limits: StreamableHttpResponseLimits,
) -> Result<Sent, Error> {
    let url = Url::parse(uri).map_err(|_| HttpFailure::NoAddress)?;
    let mut headers = HeaderMap::new();
    for (name, value) in custom {
        if RESERVED.contains(&name) {
            return Err(StreamableHttpError::ReservedHeaderConflict(name.to_string()));
        }
        headers.insert(name, value);
    }
    let value = |text: &str| {
        HeaderValue::from_str(text).map_err(|_| unexpected("a header with control characters".to_owned()))
    };
    if let Some(token) = token {
        let mut value = value(&format!("Bearer {token}"))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    if let Some(session) = session {
        headers.insert(SESSION, value(session)?);
    }
    Ok(Sent { url, headers, limits })
}

fn limited(most: usize) -> StreamableHttpResponseLimits {
    let mut limits = StreamableHttpResponseLimits::default();
    limits.max_sse_event_size = most;
    limits
}

impl StreamableHttpClient for HttpRequests {
    type Error = HttpFailure;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        custom: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, custom, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        custom: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let sent = sent(&uri, session.as_deref(), token.as_deref(), custom, limits)?;
        // A future of this size in one piece would be copied with each of rmcp's.
        self.post(&message, sent).boxed().await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        custom: Headers,
    ) -> Result<(), Error> {
        let sent =
            sent(&uri, Some(&session), token.as_deref(), custom, StreamableHttpResponseLimits::default())?;
        let response = self.send(Method::DELETE, &sent, None).await?;
        match response.status() {
            status if status.is_success() => Ok(()),
            // The session is gone, or the server keeps it as long as it wants.
            _ => Err(StreamableHttpError::ServerDoesNotSupportDeleteSession),
        }
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        custom: Headers,
    ) -> Result<Events, Error> {
        let most = StreamableHttpResponseLimits::default().max_sse_event_size;
        self.get_stream_with_max_sse_event_size(uri, session, last_event, token, custom, most).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        custom: Headers,
        most: usize,
    ) -> Result<Events, Error> {
        let mut sent = sent(&uri, session.as_deref(), token.as_deref(), custom, limited(most))?;
        if let Some(event) = last_event.and_then(|event| HeaderValue::from_str(&event).ok()) {
            sent.headers.insert(LAST_EVENT, event);
        }
        let response = self.send(Method::GET, &sent, None).await?;
        check_rights(&response)?;
        match response.status() {
            status if status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED => {
                Err(status_error(&response).into())
            }
            // Only some servers have a stream of their own messages; the others say so in many ways.
            status if status.is_success() && is_type(&response, EVENTS) => {
                let open = Open::new(&self.open);
                let events = events::of(response, most, None);
                Ok(events.inspect(move |_| _ = &open).boxed())
            }
            _ => Err(StreamableHttpError::ServerDoesNotSupportSse),
        }
    }
}
