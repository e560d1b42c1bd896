//! Runs, connections and stops.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};

use super::refusal::CopilotRefusal;
use super::routes::CopilotRoutes;
use super::suggestions;
use super::suggestions::RunRoute;
use crate::protocol::{EventType, RunId};
use crate::server::response::rejection::json_response;
use crate::server::run::traced;

/// The most bytes of a request to stop a run.
const STOP_BODY: usize = 4096;

type AgentPath = Result<Path<String>, PathRejection>;

pub(super) fn decoded<T>(path: Result<Path<T>, PathRejection>) -> Result<T, CopilotRefusal> {
    let malformed = |_| CopilotRefusal::invalid("expected percent-encoded UTF-8 in the path");
    path.map(|Path(path)| path).map_err(malformed)
}

/// Handles `POST base/agent/{agent}/run`.
pub(super) async fn run(
    State(served): State<Arc<CopilotRoutes>>,
    agent: AgentPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    start(&served, RunRoute::Run, agent, request).await
}

/// Handles `POST base/agent/{agent}/suggest`: a run that leaves no trace.
pub(super) async fn suggest(
    State(served): State<Arc<CopilotRoutes>>,
    agent: AgentPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    start(&served, RunRoute::Suggest, agent, request).await
}

async fn start(
    served: &CopilotRoutes,
    route: RunRoute,
    agent: AgentPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let endpoint = served.agent(&decoded(agent)?)?.endpoint();
    let started = traced(endpoint, request, |request| {
        let (parts, body) = request.into_parts();
        suggestions::start(endpoint, route, parts, body)
    });
    Ok(started.await)
}

/// Handles `POST base/agent/{agent}/connect`. A thread without events is a stream without events.
pub(super) async fn connect(
    State(served): State<Arc<CopilotRoutes>>,
    agent: AgentPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let threads = Arc::clone(&served.agent(&decoded(agent)?)?.threads);
    let mut response = threads.connect(request).await;
    if response.status() == StatusCode::NO_CONTENT {
        *response.status_mut() = StatusCode::OK;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        *response.body_mut() = Body::empty();
    }
    Ok(response)
}

/// The body of a request to stop a run.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StopRequest {
    #[serde(default)]
    run_id: Option<RunId>,
}

#[derive(Serialize)]
struct StopResponse {
    stopped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupt: Option<StopInterrupt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
struct StopInterrupt {
    #[serde(rename = "type")]
    event_type: &'static str,
    message: &'static str,
    code: &'static str,
}

fn invalid_stop() -> CopilotRefusal {
    CopilotRefusal::invalid("Invalid stop request: expected nothing, or an object with a `runId`")
}

/// Handles `POST base/agent/{agent}/stop/{thread}`.
pub(super) async fn stop(
    State(served): State<Arc<CopilotRoutes>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let (agent, thread) = decoded(path)?;
    let agent = served.agent(&agent)?;
    let (parts, body) = request.into_parts();
    let (body, share) = served.body(&parts, body, STOP_BODY).await?;
    let wanted = match body.trim_ascii() {
        [] => StopRequest::default(),
        // serde reads a list as the members of a struct.
        [b'{', ..] => serde_json::from_slice(&body).map_err(|_| invalid_stop())?,
        _ => return Err(invalid_stop()),
    };
    drop(share);
    let stopped = agent.threads.stop(parts, &thread, wanted.run_id.as_ref()).await?;
    let interrupt = stopped.then_some(StopInterrupt {
        event_type: EventType::RunError.as_str(),
        message: "Run stopped by user",
        code: "STOPPED",
    });
    let message = (!stopped).then(|| match &wanted.run_id {
        Some(run) => format!("Run '{run}' is not the active run for thread '{thread}'."),
        None => format!("No active run for thread '{thread}'."),
    });
    Ok(json_response(StatusCode::OK, &StopResponse { stopped, interrupt, message }).into_response())
}
