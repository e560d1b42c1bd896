//! Agents for A2A clients, beside the agents for pages.

use std::sync::Arc;

use axum::Router;

use super::Server;
use super::settings::Settings;
use super::threads::{self, Threads};
use crate::a2a::A2aServer;
use crate::agent::DynAgent;
use crate::manifest::AgentSource;
use crate::thread::Memory;

/// The bytes of all conversations that a server without a store remembers.
const REMEMBERED: usize = 64 * 1024 * 1024;

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
    /// Serves an agent to A2A clients at a path, by two bindings of A2A 1.0 (feature `a2a`): JSON-RPC at the path, and
    /// HTTP+JSON below it (`path/message:send`, `path/tasks` …). Its card is at `path/.well-known/agent-card.json`; if it is the only such agent of the server, also at `/.well-known/agent-card.json`.
    ///
    /// The checks of [hosts](Self::allow_hosts) and [origins](Self::allow_origins), the [`layer`](Self::layer)s, the
    /// [`Limits`](crate::Limits), the [`input_limits`](Self::input_limits) and the [`identity`](Self::identity) hold for it as for
    /// agents: a task belongs to the identity that began it. With a store of [`threads`](Self::threads), tasks are kept there;
    /// without one, the server remembers 64 MiB of conversations, and forgets those that rested longest.
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

/// Returns the store of a server that has none.
pub(super) fn memory() -> Memory {
    Memory::bounded(REMEMBERED)
}

/// Returns the methods and paths of the routes.
pub(super) fn paths(mounted: &[MountedA2a]) -> Vec<(&'static str, String)> {
    let mut paths: Vec<_> = mounted
        .iter()
        .flat_map(|MountedA2a { path, .. }| [("POST", path.clone()), ("GET", card_path(path))])
        .collect();
    paths.extend(root_card(mounted).map(|path| ("GET", path)));
    paths
}

/// Returns the methods and paths of the routes of HTTP+JSON.
pub(super) fn paths_below(mounted: &[MountedA2a]) -> Vec<(&'static str, String)> {
    mounted.iter().flat_map(|MountedA2a { path, .. }| threads::a2a_paths(path)).collect()
}

/// Returns the path of the card at the root, if it is not that of the agent itself.
fn root_card(mounted: &[MountedA2a]) -> Option<String> {
    let [MountedA2a { path, .. }] = mounted else { return None };
    (path != "/").then(|| card_path("/"))
}

/// Returns the path of the card of an agent (A2A, section "Agent Discovery").
fn card_path(path: &str) -> String {
    format!("{}/.well-known/agent-card.json", path.trim_end_matches('/'))
}

/// Adds the routes of all agents.
pub(super) fn routes(
    mounted: Vec<MountedA2a>,
    router: Router,
    threads: &Arc<Threads>,
    settings: &Arc<Settings>,
) -> Router {
    let root = root_card(&mounted);
    mounted.into_iter().fold(router, |router, MountedA2a { path, server }| {
        let cards = [Some(card_path(&path)), root.clone()];
        threads::a2a_routes(router, threads, settings, path, server.into_mount(), cards.into_iter().flatten())
    })
}
