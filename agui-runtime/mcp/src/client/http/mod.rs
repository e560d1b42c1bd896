//! Streamable HTTP requests to a server, below rmcp's transport, which holds the session.

mod events;
mod failure;
mod post;
mod redirect;
mod response;
mod sent;
mod session;
mod token;
mod way;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{FutureExt, StreamExt};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::{Client, Method, Response};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};

use self::events::SseEvents;
use self::failure::McpHttpError;
use self::response::{EVENTS, JSON, check_rights, is_type, status_error};
use self::sent::{LAST_EVENT, McpHttpRequest, limited, sent};
use self::token::bearer;

pub(crate) use self::failure::HttpFailure;
pub(super) use self::token::TokenSource;
pub use self::token::{McpTokenChallenge, McpTokenRequest};
pub(super) use self::way::McpHttpRoute;

type CustomHeaders = HashMap<HeaderName, HeaderValue>;

/// HTTP client for one server.
#[derive(Clone)]
pub(super) struct HttpRequests {
    client: Client,
    /// The number of open streams that carry the server's own messages.
    open: Arc<AtomicUsize>,
    /// The application's tokens.
    tokens: Option<TokenSource>,
}

impl HttpRequests {
    fn new(client: Client, tokens: Option<TokenSource>) -> Self {
        Self { client, open: Arc::default(), tokens }
    }

    async fn send(
        &self,
        method: Method,
        sent: &McpHttpRequest,
        body: Option<Vec<u8>>,
    ) -> Result<Response, HttpFailure> {
        let mut headers = sent.headers.clone();
        let accept = HeaderValue::from_static("text/event-stream, application/json");
        headers.insert(ACCEPT, accept);
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        let Some(tokens) = &self.tokens else {
            return redirect::send(&self.client, method, sent.url.clone(), headers, body).await;
        };
        let token = tokens.token().await?;
        headers.insert(AUTHORIZATION, bearer(&token)?);
        let send = |headers: HeaderMap, body| {
            redirect::send(&self.client, method.clone(), sent.url.clone(), headers, body)
        };
        let response = send(headers.clone(), body.clone()).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        // The server has refused the request before any effect, so the request may be sent once more.
        let challenge = McpTokenChallenge::from_response(&response);
        let Some(token) = tokens.token_after(&token, challenge).await? else { return Ok(response) };
        headers.insert(AUTHORIZATION, bearer(&token)?);
        send(headers, body).await
    }
}

/// Counts a stream while it is open.
struct OpenStreamCount(Arc<AtomicUsize>);

impl OpenStreamCount {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for OpenStreamCount {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl StreamableHttpClient for HttpRequests {
    type Error = HttpFailure;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        custom: CustomHeaders,
    ) -> Result<StreamableHttpPostResponse, McpHttpError> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, custom, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        custom: CustomHeaders,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, McpHttpError> {
        let sent = sent(&uri, session.as_deref(), token.as_deref(), custom, limits)?;
        // A future of this size in one piece would be copied with each of rmcp's.
        self.post(&message, sent).boxed().await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        custom: CustomHeaders,
    ) -> Result<(), McpHttpError> {
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
        custom: CustomHeaders,
    ) -> Result<SseEvents, McpHttpError> {
        let most = StreamableHttpResponseLimits::default().max_sse_event_size;
        self.get_stream_with_max_sse_event_size(uri, session, last_event, token, custom, most).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        custom: CustomHeaders,
        most: usize,
    ) -> Result<SseEvents, McpHttpError> {
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
                let open = OpenStreamCount::new(&self.open);
                let events = events::sse_events(response, most, None);
                Ok(events.inspect(move |_| _ = &open).boxed())
            }
            _ => Err(StreamableHttpError::ServerDoesNotSupportSse),
        }
    }
}
