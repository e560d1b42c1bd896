//! A thread's runs as tasks for A2A clients.
//!
//! ```text
//! POST path ─────────▶ json_rpc ──┬─▶ call: one operation ─▶ send ─▶ start, as for AG-UI ─▶ the log
//! POST, GET path/… ──▶ http_json ─┘     └─ get, list, cancel, subscribe ─▶ load, follow ◀──┘
//! ```
//!
//! A task id names the thread and the task's first run; runs that resume the task's interrupts have derived ids. So the thread's
//! log is all that a server needs to know about a task.

mod binding;
mod call;
mod cancel;
mod card;
mod failure;
mod follow;
mod http_json;
mod json_rpc;
mod list;
mod load;
mod request;
mod respond;
mod send;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

pub(in crate::server) use http_json::paths;

use super::store::ServerThreads;
use crate::a2a::{A2aMount, AgentCard};
use crate::agent::DynAgent;
use crate::server::mount::{AgentOffer, RouteProtocol};
use crate::server::run::AgentEndpoint;
use crate::server::settings::ServerSettings;
use crate::thread::ThreadKey;

/// An agent for A2A clients.
struct TaskDesk {
    path: String,
    agent: Arc<dyn DynAgent>,
    card: AgentCard,
    /// The card's address, if the program sets one.
    url: Option<String>,
    threads: Arc<ServerThreads>,
    settings: Arc<ServerSettings>,
    /// Held here: the threads know it weakly, to run lost runs again.
    _endpoint: Arc<AgentEndpoint>,
}

impl TaskDesk {
    fn key(&self, owner: &str, thread: &str) -> ThreadKey {
        ThreadKey::new(owner, self.path.as_str(), thread)
    }
}

/// Adds an agent's routes.
pub(in crate::server) fn routes(
    router: Router,
    threads: &Arc<ServerThreads>,
    settings: &Arc<ServerSettings>,
    path: String,
    mount: A2aMount,
    cards: impl Iterator<Item = String>,
) -> Router {
    let A2aMount { agent, card, url } = mount;
    let offer = Arc::new(AgentOffer::One(Arc::clone(&agent)));
    let (protocol, settings) = (RouteProtocol::AgUi, Arc::clone(settings));
    let endpoint = AgentEndpoint { path: path.clone(), offer, protocol, settings: Arc::clone(&settings) };
    let endpoint = Arc::new(endpoint);
    let served = Arc::downgrade(&endpoint);
    threads.serve(&path, served);
    let threads = Arc::clone(threads);
    let desk = Arc::new(TaskDesk { path, agent, card, url, threads, settings, _endpoint: endpoint });
    let routes = cards.fold(Router::new(), |routes, path| routes.route(&path, get(card::card_endpoint)));
    let routes =
        routes.route(&desk.path, post(json_rpc::json_rpc_endpoint)).merge(http_json::routes(&desk.path));
    router.merge(routes.with_state(desk))
}
