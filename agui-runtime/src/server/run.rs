//! One run over HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use http::{HeaderValue, StatusCode, header};

use super::body::RunBody;
use super::encoding::Encoding;
use super::host::Limits;
use super::mount::Contract;
use super::reading::Reading;
use super::rejection::Rejection;
use super::shutdown::StopSignal;
use super::{accept, input, request, snake_case};
use crate::protocol::RunAgentInput;
use crate::{DynAgent, Peer, RunOptions};

/// An agent at its path.
pub(super) struct Endpoint {
    pub(super) agent: Arc<dyn DynAgent>,
    pub(super) name: &'static str,
    pub(super) contract: Contract,
    pub(super) limits: Limits,
    pub(super) reading: Reading,
    pub(super) stop: Option<StopSignal>,
}

/// Answers with the stream of a run, or says why there is none. Once it streams, the status is 200 whatever happens:
/// a run that fails says so in its stream.
pub(super) async fn run(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    match endpoint.read(request).await {
        Ok((input, encoding)) => endpoint.start(input, encoding),
        Err(rejection) => match endpoint.contract {
            Contract::AgUi => rejection,
            // It knows no other status for what is the client's fault.
            Contract::SnakeCase => rejection.with_status(StatusCode::BAD_REQUEST),
        }
        .into_response(),
    }
}

impl Endpoint {
    async fn read(&self, request: Request) -> Result<(RunAgentInput, Encoding), Rejection> {
        let (head, body) = request.into_parts();
        request::check_content_type(&head.headers)?;
        let encoding = match self.contract {
            Contract::AgUi => accept::choose(&head.headers),
            // It has one encoding, and nothing to say to who does not want that.
            Contract::SnakeCase => Encoding::SnakeCase,
        };
        let bytes = request::read_body(&head.headers, body, self.limits.body).await?;
        let read = match self.contract {
            Contract::AgUi => input::read,
            Contract::SnakeCase => snake_case::read,
        };
        Ok((self.reading.read(bytes, read).await?, encoding))
    }

    fn start(&self, input: RunAgentInput, encoding: Encoding) -> Response {
        let span = tracing::info_span!("run", agent = self.name, thread_id = %input.thread_id, run_id = %input.run_id);
        let peer = match input.protocol_version {
            Some(_) => Peer::of(&input),
            None => self.limits.assumed_peer,
        };
        let options = RunOptions::default().peer(peer);
        let events = span.in_scope(|| {
            tracing::debug!(?peer, "run starts");
            Arc::clone(&self.agent).start(input, options)
        });
        let events = match self.contract {
            Contract::SnakeCase => snake_case::sayable(events),
            Contract::AgUi if self.limits.serial && peer == Peer::Legacy => events.serial().boxed(),
            Contract::AgUi => events.boxed(),
        };
        let stopped = self.stop.as_ref().map(StopSignal::stopped);
        let body = RunBody::new(events, encoding, self.limits.keep_alive, stopped, span);
        let mut response = Response::new(Body::from_stream(body));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, encoding.content_type());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        // nginx holds a stream back until told otherwise.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}
