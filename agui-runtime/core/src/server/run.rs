//! One run over HTTP.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
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
#[cfg(feature = "model")]
use crate::model::{ToolChoice, tool_choice::RequestedToolChoice};

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
    let (mut parts, body) = request.into_parts();
    let span = trace::span(&mut parts, &endpoint.path, endpoint.settings.request_span.as_ref());
    let answer = endpoint.answer(Request::from_parts(parts, body)).instrument(span.clone()).await;
    let response = answer.into_response();
    trace::record_status(&span, response.status());
    response
}

/// Responds with the stream of a run that leaves no trace, or with the refusal: the run is not stored, and ends with its client.
pub(super) async fn suggest(endpoint: Arc<AgentEndpoint>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let span = trace::span(&mut parts, &endpoint.path, endpoint.settings.request_span.as_ref());
    let response =
        endpoint.unstored(Request::from_parts(parts, body)).instrument(span.clone()).await.into_response();
    trace::record_status(&span, response.status());
    response
}

/// Returns the tool that a run's `forwardedProps` force, in the form that CopilotKit's pages send.
pub(super) fn forced_tool(forwarded_props: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Forced {
        #[serde(rename = "toolChoice")]
        tool_choice: ForcedChoice,
    }

    #[derive(Deserialize)]
    struct ForcedChoice {
        function: ForcedFunction,
    }

    #[derive(Deserialize)]
    struct ForcedFunction {
        name: String,
    }

    let forced = serde_json::from_str::<Forced>(forwarded_props).ok()?;
    Some(forced.tool_choice.function.name)
}

impl AgentEndpoint {
    /// Returns the same endpoint with other settings.
    pub(super) fn with_settings(&self, settings: &Arc<ServerSettings>) -> Arc<Self> {
        let (path, offer, protocol) = (self.path.clone(), Arc::clone(&self.offer), self.protocol);
        Arc::new(Self { path, offer, protocol, settings: Arc::clone(settings) })
    }

    async fn unstored(&self, request: Request) -> Result<AgUiResponse, Rejection> {
        let (parts, body) = request.into_parts();
        let agent = self.offer.agent(&parts)?;
        let head = RunRequestHead::read(parts, self.protocol, Arc::clone(&self.settings))?;
        agent.check(head.options())?;
        let input = head.input(body).await?;
        #[cfg(feature = "model")]
        let input = match input.forwarded_props.as_ref().and_then(|props| serde_json::to_string(props).ok()) {
            Some(props) => match forced_tool(&props) {
                Some(tool) => {
                    let choice = RequestedToolChoice(ToolChoice::Tool(tool));
                    input.with_options(|options| options.request(choice))
                }
                None => input,
            },
            None => input,
        };
        input.start(agent)
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
