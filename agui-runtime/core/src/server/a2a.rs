//! Agents for A2A clients, beside the agents for pages.

use std::sync::Arc;

use axum::Router;

use super::Server;
use super::settings::ServerSettings;
use super::threads::{self, ServerThreads};
use crate::a2a::A2aServer;
use crate::agent::DynAgent;
use crate::manifest::AgentSource;

/// An agent for A2A clients, at a path.
pub(super) struct MountedA2a {
    pub(super) path: String,
    pub(super) server: A2aServer,
}

impl MountedA2a {
    pub(super) fn source(&self) -> AgentSource {
        self.server.agent().describe()
    }

    pub(super) fn agent(&self) -> &Arc<dyn DynAgent> {
        self.server.agent()
    }
}

impl Server {
    /// Serves an agent to A2A clients at a path, over two A2A 1.0 bindings (feature `a2a`): JSON-RPC at the path, and HTTP+JSON
    /// below (`path/message:send`, `path/tasks` …). The agent card is at `path/.well-known/agent-card.json`; if the server has
    /// only one A2A agent, also at `/.well-known/agent-card.json`.
    ///
    /// The [host](Self::allow_hosts) and [origin](Self::allow_origins) checks, the [`layer`](Self::layer)s, the
    /// [`Limits`](crate::Limits), the [`input_limits`](Self::input_limits) and the [`identity`](Self::identity) apply as for other
    /// agents: a task belongs to the identity that began the task. With a [`threads`](Self::threads) store, tasks are kept there;
    /// without one, the server remembers 64 MiB of conversations, and forgets the longest unused first.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::Server;
    /// use agui_runtime::a2a::A2aServer;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Tells what a journey costs.
    /// #[agent]
    /// async fn fares(run: &mut Run<Fares>, input: Input<Fares>) -> Result<u32, Stop> {
    ///     Ok(180)
    /// }
    ///
    /// let fares = Arc::new(Fares::new());
    /// let server = Server::new().a2a("/a2a", A2aServer::new(Arc::clone(&fares))).dyn_agent("/", fares);
    /// assert!(server.router().is_ok());
    /// ```
    pub fn a2a(mut self, path: &str, server: A2aServer) -> Self {
        self.a2a.push(MountedA2a { path: path.to_owned(), server });
        self
    }
}

/// Returns each route's method and path.
pub(super) fn paths(mounted: &[MountedA2a]) -> Vec<(&'static str, String)> {
    let mut paths: Vec<_> = mounted
        .iter()
        .flat_map(|MountedA2a { path, .. }| [("POST", path.clone()), ("GET", card_path(path))])
        .collect();
    paths.extend(root_card(mounted).map(|path| ("GET", path)));
    paths
}

/// Returns each HTTP+JSON route's method and path.
pub(super) fn paths_below(mounted: &[MountedA2a]) -> Vec<(&'static str, String)> {
    mounted.iter().flat_map(|MountedA2a { path, .. }| threads::a2a_paths(path)).collect()
}

/// Returns the root card's path, unless an agent's own card is there.
fn root_card(mounted: &[MountedA2a]) -> Option<String> {
    let [MountedA2a { path, .. }] = mounted else { return None };
    (path != "/").then(|| card_path("/"))
}

/// Returns the path of an agent's card (A2A, section "Agent Discovery").
fn card_path(path: &str) -> String {
    format!("{}/.well-known/agent-card.json", path.trim_end_matches('/'))
}

/// Adds all agents' routes.
pub(super) fn routes(
    mounted: Vec<MountedA2a>,
    router: Router,
    threads: &Arc<ServerThreads>,
    settings: &Arc<ServerSettings>,
) -> Router {
    let root = root_card(&mounted);
    mounted.into_iter().fold(router, |router, MountedA2a { path, server }| {
        let cards = [Some(card_path(&path)), root.clone()];
        threads::a2a_routes(router, threads, settings, path, server.into_mount(), cards.into_iter().flatten())
    })
}
