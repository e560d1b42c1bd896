//! The server's description: its agents, and the routes that a page may use.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;

use super::mount::CopilotAgents;
use super::routes::CopilotRoutes;
use crate::protocol::AgentCapabilities;
use crate::server::response::rejection::json_response;

/// The version of CopilotKit's runtime whose routes these are.
const SPOKEN: &str = "1.75.0";

/// The response to `GET base/info`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuntimeInfo<'a> {
    version: &'static str,
    agents: BTreeMap<&'a str, AgentInfo<'a>>,
    audio_file_transcription_enabled: bool,
    mode: &'static str,
    thread_endpoints: ThreadEndpoints,
    #[serde(skip_serializing_if = "Option::is_none")]
    single_route: Option<SingleRouteInfo>,
    suggestions: bool,
    a2ui_enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    a2ui: Option<SurfaceInfo<'a>>,
    #[serde(rename = "openGenerativeUIEnabled")]
    open_generative_ui_enabled: bool,
    telemetry_disabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AgentInfo<'a> {
    name: &'a str,
    description: &'a str,
    class_name: &'a str,
    capabilities: &'a AgentCapabilities,
}

/// The thread routes that a page may use.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadEndpoints {
    list: bool,
    inspect: bool,
    mutations: bool,
    realtime_metadata: bool,
}

/// The agents that show A2UI surfaces. Pages draw the surfaces of all agents, but send their catalog, which is long, to these alone.
#[derive(Serialize)]
struct SurfaceInfo<'a> {
    enabled: bool,
    agents: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SingleRouteInfo {
    resource_operations: bool,
    thread_endpoints: ThreadEndpoints,
}

/// Handles `GET base/info`.
pub(super) async fn info(State(served): State<Arc<CopilotRoutes>>) -> Response {
    json_response(StatusCode::OK, &runtime_info(&served.agents, served.has_identities, false))
}

/// Returns the same for a page that sends all requests to one address.
pub(super) fn single_info(served: &CopilotRoutes) -> Response {
    json_response(StatusCode::OK, &runtime_info(&served.agents, served.has_identities, true))
}

fn runtime_info(agents: &CopilotAgents, has_identities: bool, is_single: bool) -> RuntimeInfo<'_> {
    let described = agents.iter().map(|(id, agent)| {
        let info = AgentInfo {
            name: id,
            description: agent.description,
            class_name: agent.type_name,
            capabilities: &agent.capabilities,
        };
        (id.as_str(), info)
    });
    let with_surfaces = agents.iter().filter(|(_, agent)| agent.has_surfaces);
    let with_surfaces: Vec<_> = with_surfaces.map(|(id, _)| id.as_str()).collect();
    let thread_endpoints = ThreadEndpoints {
        list: has_identities,
        inspect: true,
        // A page changes the threads that the page lists.
        mutations: has_identities,
        realtime_metadata: false,
    };
    RuntimeInfo {
        version: SPOKEN,
        agents: described.collect(),
        audio_file_transcription_enabled: false,
        mode: "sse",
        thread_endpoints,
        single_route: is_single.then_some(SingleRouteInfo { resource_operations: true, thread_endpoints }),
        suggestions: true,
        a2ui_enabled: !with_surfaces.is_empty(),
        a2ui: (!with_surfaces.is_empty()).then_some(SurfaceInfo { enabled: true, agents: with_surfaces }),
        open_generative_ui_enabled: false,
        telemetry_disabled: true,
    }
}
