//! One run over HTTP.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use super::handler::{AgUiResponse, Head};
use super::mount::{Contract, Offer};
use super::rejection::Rejection;
use super::settings::Settings;

/// An agent at its path.
pub(super) struct Endpoint {
    pub(super) offer: Offer,
    pub(super) name: &'static str,
    pub(super) contract: Contract,
    pub(super) settings: Arc<Settings>,
}

/// Answers with the stream of a run, or says why there is none.
pub(super) async fn run(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    endpoint.answer(request).await.into_response()
}

impl Endpoint {
    async fn answer(&self, request: Request) -> Result<AgUiResponse, Rejection> {
        let (parts, body) = request.into_parts();
        let agent = self.offer.agent(&parts)?;
        let malformed = |rejection: Rejection| match self.contract {
            Contract::AgUi => rejection,
            // The dialect knows no other status for what is the client's fault.
            Contract::SnakeCase => rejection.with_status(StatusCode::BAD_REQUEST),
        };
        let head = Head::read(parts, self.contract, Arc::clone(&self.settings)).map_err(malformed)?;
        // Before the body is read: a client that may not start a run need not be listened to.
        agent.check(head.options())?;
        let input = head.input(body).await.map_err(malformed)?;
        input.start_as(self.name, agent)
    }
}
