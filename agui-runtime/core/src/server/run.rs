//! One run over HTTP.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use super::limits::bounded::RunBounds;
use super::limits::run_slots::RunSlot;
use super::mount::{AgentOffer, RouteProtocol};
use super::request::head::RunRequestHead;
use super::response::ag_ui_reply::AgUiResponse;
use super::response::rejection::Rejection;
use super::settings::ServerSettings;
use super::threads::restart::RestartableAgent;
use super::{threads, trace};
use crate::agent::{DynAgent, RunOptions};

/// An agent at its path.
pub(super) struct AgentEndpoint {
    pub(super) path: String,
    pub(super) offer: Arc<AgentOffer>,
    pub(super) protocol: RouteProtocol,
    pub(super) settings: Arc<ServerSettings>,
}

impl RestartableAgent for AgentEndpoint {
    fn agent(&self) -> Option<&Arc<dyn DynAgent>> {
        match &*self.offer {
            AgentOffer::One(agent) => Some(agent),
            AgentOffer::ForEach { .. } => None,
        }
    }

    fn slot(&self, owner: Option<&str>) -> Result<RunSlot, Rejection> {
        let slots = &self.settings.run_slots;
        slots.take(slots.body(None))?.for_identity_now(owner)
    }

    /// Without a request, the options have neither its headers nor values from layers.
    fn options(&self, owner: Option<&str>) -> RunOptions {
        let (mut parts, ()) = Request::new(()).into_parts();
        self.settings.run_options(&parts).or(&self.settings.server_options(&mut parts, owner))
    }

    fn bounds(&self) -> RunBounds {
        self.settings.run_bounds()
    }
}

/// Responds with a run's stream, or with the refusal.
pub(super) async fn run(State(endpoint): State<Arc<AgentEndpoint>>, request: Request) -> Response {
    traced(&endpoint, request, |request| endpoint.answer(request)).await
}

/// Responds to a run request within the span of the request.
pub(super) async fn traced<F>(
    endpoint: &AgentEndpoint,
    request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response
where
    F: Future<Output = Result<AgUiResponse, Rejection>>,
{
    let (mut parts, body) = request.into_parts();
    let span = trace::span(&mut parts, &endpoint.path, endpoint.settings.request_span.as_ref());
    let response = answer(Request::from_parts(parts, body)).instrument(span.clone()).await.into_response();
    trace::record_status(&span, response.status());
    response
}

impl AgentEndpoint {
    /// Returns the same endpoint with other settings.
    pub(super) fn with_settings(&self, settings: &Arc<ServerSettings>) -> Arc<Self> {
        let (path, offer, protocol) = (self.path.clone(), Arc::clone(&self.offer), self.protocol);
        Arc::new(Self { path, offer, protocol, settings: Arc::clone(settings) })
    }

    async fn answer(&self, request: Request) -> Result<AgUiResponse, Rejection> {
        let (parts, body) = request.into_parts();
        let agent = self.offer.agent(&parts)?;
        let head = RunRequestHead::read(parts, self.protocol, Arc::clone(&self.settings))?;
        // Checked before the body is read: a client that may not start a run gets no resources.
        agent.check(head.options())?;
        match &self.settings.threads {
            Some(threads) if self.protocol == RouteProtocol::AgUi => {
                threads::start(threads, &self.path, agent, head, body).await
            }
            _ => head.input(body).await?.start(agent),
        }
    }
}
