//! Agents to routes.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;

use super::host::Limits;
use super::input_limits::InputLimits;
use super::mount::{Contract, Mounted};
use super::reading::Reading;
use super::rejection::{Rejection, json};
use super::run::{Endpoint, run};
use super::shutdown::StopSignal;
use crate::{Error, capabilities};

/// Every path can be requested, and nothing is answered by two agents.
pub(super) fn check(mounted: &[Mounted]) -> Result<(), Error> {
    let mut taken = BTreeSet::new();
    let mut take = |method, path: &str| {
        if taken.insert((method, path.to_owned())) {
            Ok(())
        } else {
            Err(Error::DuplicatePath { method, path: path.to_owned() })
        }
    };
    for Mounted { path, contract, .. } in mounted {
        check_path(path)?;
        take("POST", path)?;
        if *contract == Contract::AgUi {
            take("GET", &declaration(path))?;
        }
    }
    Ok(())
}

/// Where an agent's capabilities are.
fn declaration(path: &str) -> String {
    format!("{}/capabilities", path.trim_end_matches('/'))
}

/// `POST path` for each agent, and `GET path/capabilities` where AG-UI is spoken.
pub(super) fn agents(
    mounted: Vec<Mounted>,
    limits: Limits,
    input_limits: InputLimits,
    stop: Option<&StopSignal>,
) -> Router {
    let reading = Reading::new(input_limits);
    let mut router = Router::new();
    for Mounted { path, agent, contract } in mounted {
        let source = agent.source();
        // An agent's declaration never changes while the program runs.
        let mut declared = capabilities(&source);
        // What this server adds to what the agent is.
        if let Some(transport) = &mut declared.transport {
            transport.http_binary = Some(true);
        }
        let declared = Arc::new(declared);
        let (reading, stop) = (reading.clone(), stop.cloned());
        let endpoint = Endpoint { agent, name: source.name, contract, limits, reading, stop };
        router = router.route(&path, post(run).with_state(Arc::new(endpoint)));
        if contract == Contract::AgUi {
            let declaration = declaration(&path);
            router = router
                .route(&declaration, get(move || async move { json(StatusCode::OK, declared.as_ref()) }));
        }
    }
    router
}

/// What the routes so far answer to a method they do not have.
pub(super) fn with_wrong_method(router: Router) -> Router {
    router.method_not_allowed_fallback(wrong_method)
}

/// Literal paths only, as they stand in a request line.
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

/// Where nothing is, says where something is.
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
