//! The routes below a path for CopilotKit's pages.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::middleware::from_fn;
use axum::routing::{MethodRouter, any, get, patch, post};

use bytes::Bytes;
use http::request::Parts;

use super::mount::{CopilotAgent, CopilotAgents, MountedCopilotKit, agent_id};
use super::refusal::CopilotRefusal;
use super::{envelope, info, runs, thread_changes, thread_views};
use crate::manifest::AgentSource;
use crate::server::limits::budget::{BodyShare, ClientKey};
use crate::server::origins::gate::pass_thread;
use crate::server::request::input_bytes::read_body;
use crate::server::response::rejection::Rejection;
use crate::server::routes::{ServedAgent, with_wrong_method};
use crate::server::settings::ServerSettings;
use crate::server::threads::{AgentThreads, ServerThreads};

/// The activity type of A2UI surfaces.
const A2UI_SURFACE: &str = "a2ui-surface";

/// The agents behind the routes, and the server's settings.
pub(super) struct CopilotRoutes {
    pub(super) agents: CopilotAgents,
    pub(super) settings: Arc<ServerSettings>,
    pub(super) has_identities: bool,
}

impl CopilotRoutes {
    pub(super) fn agent(&self, id: &str) -> Result<&CopilotAgent, CopilotRefusal> {
        self.agents.get(id).ok_or_else(|| CopilotRefusal::no_agent(id))
    }

    /// Reads a body of at most `most` bytes; the share holds the memory.
    pub(super) async fn body(
        &self,
        parts: &Parts,
        body: Body,
        most: usize,
    ) -> Result<(Bytes, BodyShare), Rejection> {
        let client = ClientKey::from_request(parts, self.settings.identity(parts).as_deref());
        read_body(&parts.headers, body, most, self.settings.run_slots.body(client)).await
    }

    /// Returns the agent that a request about threads names. A server with one agent needs no name.
    pub(super) fn named(&self, id: Option<&str>) -> Result<&CopilotAgent, CopilotRefusal> {
        match (id, self.agents.len()) {
            (Some(id), _) => self.agent(id),
            (None, 1) => self.agents.values().next().ok_or_else(CopilotRefusal::not_found),
            (None, _) => Err(CopilotRefusal::invalid("Valid agentId query param is required")),
        }
    }
}

/// Adds the routes for all paths.
pub(in crate::server) fn routes(
    mounted: Vec<MountedCopilotKit>,
    router: Router,
    agents: Vec<ServedAgent>,
    threads: &Arc<ServerThreads>,
    settings: &Arc<ServerSettings>,
) -> Router {
    if mounted.is_empty() {
        return router;
    }
    let remembering =
        || ServerSettings { threads: Some(Arc::clone(threads)), ..ServerSettings::clone(settings) };
    let remembering = settings.threads.is_none().then(|| Arc::new(remembering()));
    let agents = agents.into_iter().map(|agent| {
        let endpoint = match &remembering {
            Some(settings) => agent.endpoint.with_settings(settings),
            None => agent.endpoint,
        };
        let (id, threads) = (agent_id(&endpoint.path), AgentThreads::serve(threads, endpoint));
        let AgentSource { description, rust_path: type_name, activities, .. } = agent.source;
        let has_surfaces = activities.iter().any(|activity| activity.activity_type == A2UI_SURFACE);
        let known = CopilotAgent {
            description,
            type_name,
            capabilities: agent.capabilities,
            has_surfaces,
            threads: Arc::new(threads),
        };
        (id, known)
    });
    let (agents, settings) = (agents.collect(), Arc::clone(settings));
    let has_identities = settings.identity.is_some();
    let served = Arc::new(CopilotRoutes { agents, settings, has_identities });
    let below = with_wrong_method(below(&served));
    mounted.into_iter().fold(router, |router, MountedCopilotKit { path }| {
        let all = with_wrong_method(envelope::route(Arc::clone(&served), below.clone()));
        router.nest(&path, all)
    })
}

/// Returns the routes without the one address for everything.
fn below(served: &Arc<CopilotRoutes>) -> Router {
    let refused = || any(|| async { CopilotRefusal::platform() });
    Router::new()
        .route("/info", get(info::info))
        .route("/agent/{agent}/run", post(runs::run))
        .route("/agent/{agent}/connect", post(runs::connect))
        .route("/agent/{agent}/stop/{thread}", post(runs::stop))
        .route("/agent/{agent}/suggest", post(runs::suggest))
        .route("/threads", get(thread_changes::list))
        .route("/threads/{thread}", patch(thread_changes::update).delete(thread_changes::delete))
        .route("/threads/{thread}/messages", get(thread_views::messages))
        .route("/threads/{thread}/events", get(thread_views::events))
        .route("/threads/{thread}/state", get(thread_views::state))
        .route("/threads/{thread}/archive", post(thread_changes::archive))
        .route("/threads/subscribe", thread("subscribe").post(|| async { CopilotRefusal::platform() }))
        .route("/threads/clear", thread("clear").post(|| async { CopilotRefusal::clear() }))
        .route("/annotate", refused())
        .route("/transcribe", refused())
        .layer(from_fn(pass_thread))
        .with_state(Arc::clone(served))
        .fallback(|| async { CopilotRefusal::not_found() })
}

/// Returns the routes of a thread whose id is also the name of a route.
fn thread(id: &'static str) -> MethodRouter<Arc<CopilotRoutes>> {
    patch(move |served, request| thread_changes::update(served, Ok(Path(id.to_owned())), request))
        .delete(move |served, request| thread_changes::delete(served, Ok(Path(id.to_owned())), request))
}
