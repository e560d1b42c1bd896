//! One run over HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use http::{HeaderValue, StatusCode, header};

use super::body::RunBody;
use super::bounded::Bounded;
use super::encoding::Encoding;
use super::host::Settings;
use super::mount::Contract;
use super::places::{Place, Places};
use super::rejection::Rejection;
use super::shutdown::StopSignal;
use super::{accept, input, request, snake_case};
use crate::protocol::RunAgentInput;
use crate::{DynAgent, Peer, RunOptions, Serial};

/// An agent at its path.
pub(super) struct Endpoint {
    pub(super) agent: Arc<dyn DynAgent>,
    pub(super) name: &'static str,
    pub(super) path: Arc<str>,
    pub(super) contract: Contract,
    pub(super) settings: Arc<Settings>,
    pub(super) places: Arc<Places>,
    pub(super) stop: Option<StopSignal>,
}

/// Answers with the stream of a run, or says why there is none. Once it streams, the status is 200 whatever happens:
/// a run that fails says so in its stream.
pub(super) async fn run(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    match endpoint.read(request).await {
        Ok(Admitted { input, encoding, place }) => endpoint.start(input, encoding, place),
        Err(rejection) => rejection.into_response(),
    }
}

/// A run that may start.
struct Admitted {
    input: RunAgentInput,
    encoding: Encoding,
    place: Place,
}

impl Endpoint {
    async fn read(&self, request: Request) -> Result<Admitted, Rejection> {
        let (head, body) = request.into_parts();
        let refuse = |rejection: Rejection| match self.contract {
            Contract::AgUi => rejection,
            // It knows no other status for what is the client's fault.
            Contract::SnakeCase => rejection.with_status(StatusCode::BAD_REQUEST),
        };
        request::check_content_type(&head.headers).map_err(refuse)?;
        let encoding = match self.contract {
            Contract::AgUi => accept::choose(&head.headers),
            // It has one encoding, and nothing to say to who does not want that.
            Contract::SnakeCase => Encoding::SnakeCase,
        };
        let limit = self.settings.limits.body_size;
        let bytes = request::read_body(&head.headers, body, limit).await.map_err(refuse)?;
        // Parsing takes many times the memory of the bytes, so that not more is parsed than may run.
        let place = self.places.take()?;
        let input = match self.contract {
            Contract::AgUi => input::read(&bytes),
            Contract::SnakeCase => snake_case::read(&bytes),
        };
        let input = input.map_err(refuse)?;
        let identity = self.settings.identity.as_ref().and_then(|key| key(&head.extensions));
        let place = place.of(&self.path, input.thread_id.as_str(), identity).await?;
        Ok(Admitted { input, encoding, place })
    }

    fn start(&self, input: RunAgentInput, encoding: Encoding, place: Place) -> Response {
        let span = tracing::info_span!("run", agent = self.name, thread_id = %input.thread_id, run_id = %input.run_id);
        let peer = match input.protocol_version {
            Some(_) => Peer::of(&input),
            None => self.settings.assumed_peer,
        };
        let options = RunOptions::default().peer(peer);
        let events = span.in_scope(|| {
            tracing::debug!(?peer, "run starts");
            Arc::clone(&self.agent).start(input, options)
        });
        let stopped = self.stop.as_ref().map(StopSignal::stopped);
        let events = Bounded::new(events, self.settings.limits.run_timeout, stopped, place);
        let events = match self.contract {
            Contract::SnakeCase => snake_case::sayable(events),
            Contract::AgUi if self.settings.serial && peer == Peer::Legacy => Serial::new(events).boxed(),
            Contract::AgUi => events.boxed(),
        };
        let heartbeat = encoding.heartbeat(peer);
        let body = RunBody::new(events, encoding.into(), self.settings.keep_alive, heartbeat, span);
        let mut response = Response::new(Body::from_stream(body));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, encoding.content_type());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
        // nginx holds a stream back until told otherwise.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}
