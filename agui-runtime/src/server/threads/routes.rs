//! The routes of an agent whose threads are kept.

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, post};
use http::Uri;
use http::request::Parts;

use super::store::Threads;
use super::{join, manage};
use crate::server::settings::Settings;
use crate::thread::ThreadKey;

/// An agent whose threads are kept.
pub(super) struct Kept {
    pub(super) path: String,
    pub(super) threads: Arc<Threads>,
    pub(super) settings: Arc<Settings>,
}

impl Kept {
    pub(super) fn key(&self, owner: String, thread: &str) -> ThreadKey {
        ThreadKey::new(owner, self.path.as_str(), thread)
    }

    /// Returns the caller; empty for one without an identity.
    pub(super) fn owner(&self, parts: &Parts) -> String {
        self.settings.identity(parts).unwrap_or_default()
    }
}

/// Returns the methods and paths of the routes that are literal, which no other agent may have.
pub(in crate::server) fn paths(path: &str) -> [(&'static str, String); 2] {
    [("POST", below(path, "connect")), ("GET", below(path, "threads"))]
}

/// Returns a parameter of the query of a request.
pub(super) fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let mut parameters = form_urlencoded::parse(uri.query()?.as_bytes());
    parameters.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}

fn below(path: &str, name: &str) -> String {
    format!("{}/{name}", path.trim_end_matches('/'))
}

/// Adds the routes of an agent.
pub(in crate::server) fn routes(
    router: Router,
    path: &str,
    threads: &Arc<Threads>,
    settings: &Arc<Settings>,
) -> Router {
    let kept = Kept { path: path.to_owned(), threads: Arc::clone(threads), settings: Arc::clone(settings) };
    let kept = Arc::new(kept);
    let routes = Router::new()
        .route(&below(path, "connect"), post(join::connect))
        .route(&below(path, "stop/{thread}"), post(manage::stop))
        .route(&below(path, "threads"), get(manage::list))
        .route(&below(path, "threads/{thread}"), delete(manage::delete))
        .route(&below(path, "threads/{thread}/events"), get(join::events))
        .with_state(kept);
    router.merge(routes)
}
