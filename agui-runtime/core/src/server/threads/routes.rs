//! The routes for an agent with stored threads.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use http::request::Parts;
use http::{StatusCode, Uri};

use super::readers::join;
use super::store::ServerThreads;
use super::{entries, manage};
use crate::server::origins::gate::pass_thread;
use crate::server::response::rejection::Rejection;
use crate::server::run::AgentEndpoint;
use crate::thread::ThreadKey;

/// An agent with stored threads.
pub(in crate::server) struct AgentThreads {
    pub(super) threads: Arc<ServerThreads>,
    pub(super) endpoint: Arc<AgentEndpoint>,
}

impl AgentThreads {
    /// Makes the agent known to the threads, so that its lost runs can be run again.
    pub(in crate::server) fn serve(threads: &Arc<ServerThreads>, endpoint: Arc<AgentEndpoint>) -> Self {
        let agent = Arc::downgrade(&endpoint);
        threads.serve(&endpoint.path, agent);
        Self { threads: Arc::clone(threads), endpoint }
    }

    pub(in crate::server) fn endpoint(&self) -> &Arc<AgentEndpoint> {
        &self.endpoint
    }

    pub(super) fn key(&self, owner: String, thread: &str) -> ThreadKey {
        ThreadKey::new(owner, self.endpoint.path.as_str(), thread)
    }

    /// Returns the caller's identity, which may run the agent; empty for a caller without an identity.
    pub(super) fn owner(&self, mut parts: Parts) -> Result<String, Rejection> {
        let AgentEndpoint { offer, settings, .. } = &*self.endpoint;
        let agent = offer.agent(&parts)?;
        let owner = settings.identity(&parts);
        let options = settings.run_options(&parts);
        agent.check(&options.or(&settings.server_options(&mut parts, owner.as_deref())))?;
        Ok(owner.unwrap_or_default())
    }
}

/// Returns the methods and literal paths, which no other agent may have.
pub(in crate::server) fn paths(path: &str) -> [(&'static str, String); 2] {
    [("POST", connect_path(path)), ("GET", below(path, "threads"))]
}

/// Returns the path at which clients connect to a thread.
pub(in crate::server) fn connect_path(path: &str) -> String {
    below(path, "connect")
}

/// Returns a query parameter.
pub(in crate::server) fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let mut parameters = form_urlencoded::parse(uri.query()?.as_bytes());
    parameters.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}

/// Returns the thread that a path names.
pub(super) fn path_thread(thread: Result<Path<String>, PathRejection>) -> Result<String, Rejection> {
    let malformed = |_| {
        let message = "expected the id of a thread as percent-encoded UTF-8";
        Rejection::new(StatusCode::BAD_REQUEST, "invalid_thread_id", message)
    };
    thread.map(|Path(thread)| thread).map_err(malformed)
}

fn below(path: &str, name: &str) -> String {
    format!("{}/{name}", path.trim_end_matches('/'))
}

/// Adds the routes of an agent.
pub(in crate::server) fn routes(
    router: Router,
    threads: &Arc<ServerThreads>,
    endpoint: &Arc<AgentEndpoint>,
) -> Router {
    let path = &endpoint.path;
    let served = Arc::new(AgentThreads::serve(threads, Arc::clone(endpoint)));
    let routes = Router::new()
        .route(&connect_path(path), post(join::connect))
        .route(&below(path, "stop/{thread}"), post(manage::stop))
        .route(&below(path, "threads"), get(entries::list))
        .route(
            &below(path, "threads/{thread}"),
            get(manage::entry).patch(manage::change).delete(manage::delete),
        )
        .route(&below(path, "threads/{thread}/events"), get(join::events))
        .layer(from_fn(pass_thread))
        .with_state(served);
    router.merge(routes)
}
