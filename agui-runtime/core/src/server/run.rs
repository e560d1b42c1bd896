//! One run over HTTP.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use super::mount::{AgentOffer, RouteProtocol};
use super::request::head::RunRequestHead;
use super::response::ag_ui_reply::AgUiResponse;
use super::response::rejection::Rejection;
use super::settings::ServerSettings;
use super::{threads, trace};

/// An agent at its path.
pub(super) struct AgentEndpoint {
    pub(super) path: String,
    pub(super) offer: AgentOffer,
    pub(super) protocol: RouteProtocol,
    pub(super) settings: Arc<ServerSettings>,
}

/// Responds with a run's stream, or with the refusal.
pub(super) async fn run(State(endpoint): State<Arc<AgentEndpoint>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let span = trace::span(&mut parts, &endpoint.path, endpoint.settings.request_span.as_ref());
    let answer = endpoint.answer(Request::from_parts(parts, body)).instrument(span.clone()).await;
    let response = answer.into_response();
    trace::record_status(&span, response.status());
    response
}

impl AgentEndpoint {
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
