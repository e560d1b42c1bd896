//! Runs for suggestions: they leave no trace, and their model must call the page's tool.

use axum::body::Body;
use http::StatusCode;
use http::request::Parts;
use serde::Deserialize;

#[cfg(feature = "model")]
use crate::model::tool_choice::RequestedTool;
use crate::protocol::RunAgentInput;
use crate::server::mount::RouteProtocol;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::{RunRequestHead, ThreadRequest};
use crate::server::response::ag_ui_reply::AgUiResponse;
use crate::server::response::rejection::Rejection;
use crate::server::run::AgentEndpoint;
use crate::server::threads;

/// The tool that a page forces when it asks for suggestions.
const SUGGEST_TOOL: &str = "copilotkitSuggest";

/// The route that a run came by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunRoute {
    /// Conversations. Pages that know no other route ask for suggestions here too.
    Run,
    /// Suggestions alone.
    Suggest,
}

/// Starts a run: stored, unless the run is for suggestions.
pub(super) async fn start(
    endpoint: &AgentEndpoint,
    route: RunRoute,
    parts: Parts,
    body: Body,
) -> Result<AgUiResponse, Rejection> {
    let agent = endpoint.offer.agent(&parts)?;
    let head = RunRequestHead::read(parts, RouteProtocol::AgUi, endpoint.settings.clone())?;
    // Checked before the body is read: a client that may not start a run gets no resources.
    agent.check(head.options())?;
    let asked = head.on_thread(body).await?;
    let forced = forced_tool(&asked.input);
    let tool = match (route, forced) {
        (RunRoute::Suggest, forced) => Some(forced.ok_or_else(no_tool)?),
        (RunRoute::Run, forced) => forced.filter(|tool| tool == SUGGEST_TOOL),
    };
    let Some(tool) = tool else {
        let Some(threads) = &endpoint.settings.threads else { return unstored(asked).await?.start(agent) };
        threads.maintain();
        return threads::start_read(threads, &endpoint.path, agent, asked).await;
    };
    // The agent's own tools may act, and nothing would remember what they did.
    if !asked.input.tools().iter().any(|offered| offered.name == tool) {
        return Err(no_tool());
    }
    // No thread claims what this run would resume.
    if asked.input.resume.as_ref().is_some_and(|entries| !entries.is_empty()) {
        let message = "a run for suggestions resumes nothing";
        return Err(Rejection::new(StatusCode::BAD_REQUEST, "invalid_suggestions", message).at("resume"));
    }
    let input = unstored(asked).await?;
    #[cfg(feature = "model")]
    let input = input.with_options(|options| options.request(RequestedTool(tool)));
    input.start(agent)
}

/// Counts a run that no thread has for its identity.
async fn unstored(asked: ThreadRequest) -> Result<AgUiInput, Rejection> {
    let ThreadRequest { mut input, owner, .. } = asked;
    let identity = (!owner.is_empty()).then_some(owner);
    input.reply.slot = input.reply.slot.for_identity(identity.as_deref()).await?;
    Ok(input)
}

fn no_tool() -> Rejection {
    let message = "a run for suggestions forces one of the client's tools";
    Rejection::new(StatusCode::BAD_REQUEST, "invalid_suggestions", message).at("forwardedProps.toolChoice")
}

/// Returns the tool that `forwardedProps` force.
fn forced_tool(input: &RunAgentInput) -> Option<String> {
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

    let text = serde_json::to_string(input.forwarded_props.as_ref()?).ok()?;
    let forced = serde_json::from_str::<Forced>(&text).ok()?;
    Some(forced.tool_choice.function.name)
}
