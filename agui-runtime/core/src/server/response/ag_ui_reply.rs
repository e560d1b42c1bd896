//! Responder that turns a run's events into the response.

use std::fmt;
use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use http::{HeaderValue, header};

use super::body::{BodySource, RunResponseBody};
use super::encoding::StreamEncoding;
use super::foreign::HandlerStream;
use super::unended::{ClientOpenSpans, with_span_ends};
use crate::emit::SerialStream;
use crate::kernel::Peer;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::protocol::{Event, NonNull};
use crate::server::limits::bounded::{BoundedRun, StoppableStream};
use crate::server::limits::run_slots::RunSlot;
use crate::server::mount::RouteProtocol;
use crate::server::settings::ServerSettings;
#[cfg(feature = "dialect")]
use crate::server::snake_case;

/// The response to a run request, before its events are known: in the client's encoding, with heartbeats. Made by
/// [`AgUiInput::into_parts`](crate::http::AgUiInput::into_parts).
///
/// ```
/// use agui_runtime::http::{AgUiInput, AgUiReply, AgUiResponse};
/// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent};
///
/// /// Answers without an agent.
/// fn nothing(input: AgUiInput) -> AgUiResponse {
///     let (input, _, reply) = input.into_parts();
///     let reply: AgUiReply = reply;
///     let events: [Event; 2] = [
///         RunStartedEvent::new(&input.thread_id, &input.run_id).into(),
///         RunFinishedEvent::new(&input.thread_id, &input.run_id).into(),
///     ];
///     reply.stream(futures::stream::iter(events))
/// }
/// # use axum::extract::{FromRequest, Request};
/// # use axum::response::IntoResponse;
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// #     let body = serde_json::to_vec(&agui_runtime::testing::input("Hi")).unwrap();
/// #     let request = Request::post("/").header("content-type", "application/json").body(body.into());
/// #     let input = AgUiInput::from_request(request.unwrap(), &()).await.unwrap();
/// #     let body = axum::body::to_bytes(nothing(input).into_response().into_body(), 10_000).await.unwrap();
/// #     assert!(String::from_utf8_lossy(&body).contains("RUN_FINISHED"));
/// # });
/// ```
#[derive(Debug)]
#[must_use = "the client waits for an answer: `reply.stream(events)`"]
pub struct AgUiReply {
    pub(in crate::server) peer: Peer,
    pub(in crate::server) encoding: StreamEncoding,
    pub(in crate::server) protocol: RouteProtocol,
    pub(in crate::server) slot: RunSlot,
    pub(in crate::server) settings: Arc<ServerSettings>,
    /// The state that the client sent.
    pub(in crate::server) state: Option<NonNull>,
    pub(in crate::server) allowance: MemoryAllowance,
}

impl AgUiReply {
    /// Returns the generation of the client that reads the response, for example to tell legacy pages to update.
    #[must_use]
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Responds with an event stream. Events from [`start`](crate::start) are in order and fit the [`peer`](Self::peer); for other
    /// streams, both are up to you.
    ///
    /// A stream that exceeds the server's [`run_timeout`](crate::Limits::run_timeout), or outlasts the server, is dropped and ends
    /// with RUN_ERROR. A [`Peer::Legacy`] client gets END for all open spans before RUN_ERROR, also before a RUN_ERROR from the
    /// stream itself. If the client's run has no STATE_SNAPSHOT before the first STATE_DELTA, one is added: the state that the
    /// client sent, changed by the stream so far. A STATE_DELTA that does not apply is left out, because such a delta would end
    /// CopilotKit's runtime process; the log warns once per run.
    ///
    /// A stream that panics ends with RUN_ERROR and code `panic`; the log has the panic message.
    pub fn stream(mut self, events: impl Stream<Item = Event> + Send + 'static) -> AgUiResponse {
        let events = HandlerStream::new(events, self.peer, self.state.take(), self.allowance.clone());
        self.answer(events, tracing::Span::current())
    }

    pub(in crate::server) fn answer(self, events: impl StoppableStream, span: tracing::Span) -> AgUiResponse {
        let Self { peer, encoding, protocol, slot, settings, .. } = self;
        let events = BoundedRun::new(events, settings.run_bounds(), slot);
        let events = BodySource::Run(match protocol {
            #[cfg(feature = "dialect")]
            RouteProtocol::SnakeCase => snake_case::expressible(events),
            // One item at a time: each must end before the next begins, also if an error ends them all.
            RouteProtocol::AgUi if settings.serial && peer == Peer::Legacy => {
                SerialStream::new(with_span_ends(events, peer).boxed()).boxed()
            }
            RouteProtocol::AgUi => events.boxed(),
        });
        respond(events, peer, encoding, &settings, span)
    }
}

/// Returns the response with an event stream.
pub(in crate::server) fn respond(
    events: BodySource,
    peer: Peer,
    encoding: StreamEncoding,
    settings: &ServerSettings,
    span: tracing::Span,
) -> AgUiResponse {
    let (unended, heartbeat) = (ClientOpenSpans::new(peer), encoding.heartbeat(peer));
    let sent = Arc::clone(&settings.sent);
    let body =
        RunResponseBody::new(events, encoding.into(), unended, settings.keep_alive, heartbeat, sent, span);
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, encoding.content_type());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    // nginx holds a stream back until told otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    AgUiResponse(response)
}

/// Marks a response that streams a run which an earlier request began.
#[derive(Clone)]
struct EarlierRunMarker;

impl AgUiResponse {
    pub(in crate::server) fn of_earlier_run(mut self) -> Self {
        self.0.extensions_mut().insert(EarlierRunMarker);
        self
    }

    /// Returns true if the client of this response reads a run, and began none.
    #[cfg(feature = "a2a")]
    pub(in crate::server) fn reads_earlier_run(&self) -> bool {
        self.0.extensions().get::<EarlierRunMarker>().is_some()
    }
}

/// A run's stream as an HTTP response, for axum handlers of your own; see [`AgUiInput`](crate::http::AgUiInput). Once the response
/// streams, the status is always 200: a failing run reports its error in the stream.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::DynAgent;
/// use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
/// use axum::response::{IntoResponse, Response};
/// use http::HeaderValue;
///
/// /// Adds a header to the answer.
/// fn answer(input: AgUiInput, agent: Arc<dyn DynAgent>) -> Result<Response, Rejection> {
///     let run: AgUiResponse = input.start(agent)?;
///     let mut response = run.into_response();
///     response.headers_mut().insert("x-region", HeaderValue::from_static("eu"));
///     Ok(response)
/// }
/// ```
pub struct AgUiResponse(Response);

impl IntoResponse for AgUiResponse {
    fn into_response(self) -> Response {
        self.0
    }
}

impl fmt::Debug for AgUiResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgUiResponse").field(&self.0.headers()).finish()
    }
}
