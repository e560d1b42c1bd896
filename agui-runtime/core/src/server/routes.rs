//! The agents' routes.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;

use super::lifetime::health;
use super::mount::{AgentOffer, MountedAgent, RouteProtocol};
use super::response::rejection::{Rejection, json_response};
use super::run::{AgentEndpoint, run};
use super::settings::ServerSettings;
use super::threads;
use crate::agent::{DynAgent, RunOptions, capabilities};
use crate::manifest::AgentSource;
use crate::protocol::AgentCapabilities;
use crate::server::Error;

/// Checks that every path can be requested, and that no path belongs to two agents, or to an agent and a route in the program. A
/// protocol's routes below a path are no agent paths.
pub(super) fn check(
    mounted: &[MountedAgent],
    others: Vec<(&'static str, String)>,
    below: Vec<(&'static str, String)>,
    health: Option<&str>,
    is_kept: bool,
    own: Option<&Router>,
) -> Result<(), Error> {
    let mut taken = BTreeSet::new();
    let mut take = |method, path: &str| {
        if taken.insert((method, path.to_owned())) {
            Ok(())
        } else {
            Err(Error::DuplicatePath { method, path: path.to_owned() })
        }
    };
    for MountedAgent { path, protocol, offer, .. } in mounted {
        check_path(path)?;
        match offer {
            AgentOffer::One(agent) if is_kept => check_restart(path, agent)?,
            AgentOffer::ForEach { restarts: true, .. } if is_kept => {
                return Err(Error::RestartOfMade { path: path.clone() });
            }
            _ => {}
        }
        take("POST", path)?;
        if *protocol == RouteProtocol::AgUi {
            take("GET", &capabilities_path(path))?;
            for (method, path) in threads::paths(path).into_iter().filter(|_| is_kept) {
                take(method, &path)?;
            }
        }
    }
    for (method, path) in others {
        check_path(&path)?;
        take(method, &path)?;
    }
    for (method, path) in below {
        take(method, &path)?;
    }
    if let Some(path) = health {
        check_path(path)?;
        for path in health::paths(path) {
            take("GET", &path)?;
        }
    }
    // Without a store, agents answer there too.
    let of_agents = mounted.iter().filter(|mounted| mounted.protocol == RouteProtocol::AgUi);
    taken.extend(of_agents.map(|MountedAgent { path, .. }| ("POST", threads::connect_path(path))));
    let twice = own.and_then(|own| taken.into_iter().find(|(method, path)| has_route(own, method, path)));
    match twice {
        Some((method, path)) => Err(Error::DuplicatePath { method, path }),
        None => Ok(()),
    }
}

/// Checks that an agent which another server may run again needs no request.
pub(super) fn check_restart(path: &str, agent: &Arc<dyn DynAgent>) -> Result<(), Error> {
    if !agent.restarts() {
        return Ok(());
    }
    let checked = agent.check(&RunOptions::default());
    checked.map_err(|source| Error::Restart { path: path.to_owned(), source })
}

/// Returns true if the routes serve this method at this path. A `Router` reports a conflict only by a panic in a merge.
fn has_route(routes: &Router, method: &str, path: &str) -> bool {
    let stub = || async {};
    let one = Router::new().route(path, if method == "GET" { get(stub) } else { post(stub) });
    panic::catch_unwind(AssertUnwindSafe(|| drop(routes.clone().merge(one)))).is_err()
}

/// Returns the path of an agent's capabilities.
fn capabilities_path(path: &str) -> String {
    format!("{}/capabilities", path.trim_end_matches('/'))
}

/// An agent that the routes serve.
pub(super) struct ServedAgent {
    pub(super) source: AgentSource,
    pub(super) capabilities: Arc<AgentCapabilities>,
    pub(super) endpoint: Arc<AgentEndpoint>,
}

/// Adds `POST path` for each agent, and `GET path/capabilities` for AG-UI. Returns the agents that speak AG-UI.
pub(super) fn agents(
    mounted: Vec<MountedAgent>,
    settings: &Arc<ServerSettings>,
) -> (Router, Vec<ServedAgent>) {
    let (mut router, mut served) = (Router::new(), Vec::new());
    let paths: BTreeSet<String> = mounted.iter().map(|mounted| mounted.path.clone()).collect();
    for MountedAgent { path, source, offer, protocol } in mounted {
        // An agent's capabilities never change while the program runs.
        let mut declared = capabilities(&source);
        // The server adds the transports to the agent's capabilities.
        if let Some(transport) = &mut declared.transport {
            transport.http_binary = Some(true);
            transport.resumable = settings.threads.is_some().then_some(true);
            transport.websocket = settings.has_websocket.then_some(true);
            #[cfg(feature = "webhooks")]
            {
                transport.push_notifications = settings.webhooks.is_some().then_some(true);
            }
        }
        let declared = Arc::new(declared);
        let offer = Arc::new(offer);
        let endpoint = AgentEndpoint { path: path.clone(), offer, protocol, settings: Arc::clone(settings) };
        let endpoint = Arc::new(endpoint);
        if let (RouteProtocol::AgUi, Some(threads)) = (protocol, &settings.threads) {
            router = threads::routes(router, threads, &endpoint);
        }
        let connect = threads::connect_path(&path);
        if protocol == RouteProtocol::AgUi && settings.threads.is_none() && !paths.contains(&connect) {
            // Pages ask for the conversation when they load, and this server stores no conversations.
            router = router.route(&connect, post(|| async { StatusCode::NO_CONTENT }));
        }
        router = router.route(&path, post(run).with_state(Arc::clone(&endpoint)));
        if protocol == RouteProtocol::AgUi {
            served.push(ServedAgent { source, capabilities: Arc::clone(&declared), endpoint });
            let declaration = capabilities_path(&path);
            router = router.route(
                &declaration,
                get(move || async move { json_response(StatusCode::OK, declared.as_ref()) }),
            );
        }
    }
    (router, served)
}

/// Returns the paths that accept runs or thread connections over a socket.
#[cfg(feature = "websocket")]
pub(super) fn socket_paths(mounted: &[MountedAgent]) -> BTreeSet<String> {
    let agents = mounted.iter().filter(|mounted| mounted.protocol == RouteProtocol::AgUi);
    agents.flat_map(|agent| [agent.path.clone(), threads::connect_path(&agent.path)]).collect()
}

/// Adds the present routes' response to a method that they do not serve.
pub(super) fn with_wrong_method(router: Router) -> Router {
    router.method_not_allowed_fallback(wrong_method)
}

/// Checks that a path is literal, as in a request line.
fn check_path(path: &str) -> Result<(), Error> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()+,;=@".contains(&byte);
    if path.starts_with('/') && !path.contains("//") && path.bytes().all(legal) {
        Ok(())
    } else {
        Err(Error::InvalidPath { path: path.to_owned() })
    }
}

async fn wrong_method(request: Request) -> Response {
    Rejection::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        format!("`{}` does not answer {}: see the `Allow` header", request.uri().path(), request.method()),
    )
    .into_response()
}

/// Adds the response for unknown paths, which lists the known ones.
pub(super) fn with_not_found(router: Router, paths: String) -> Router {
    let paths: Arc<str> = paths.into();
    router.fallback(move |request: Request| async move {
        Rejection::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("nothing is at `{}`: this server's agents are at {paths}", request.uri().path()),
        )
    })
}
