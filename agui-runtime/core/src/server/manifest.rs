//! The manifest of a program that serves agents, over HTTP.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::response::rejection::Rejection;
use crate::causes::Causes;
use crate::manifest::{AgentSource, Manifest, Program};
use crate::quoted::quoted;

const PATH: &str = "/agui/manifest.json";

/// Adds `GET /agui/manifest.json`. The manifest is built on request, because only development needs it.
pub(super) fn with_route(router: Router, served: Vec<AgentSource>) -> Router {
    router.route(PATH, get(move || async move { answer(served) }))
}

fn answer(served: Vec<AgentSource>) -> Response {
    let program = Program::new(served);
    match Manifest::build(&program.crate_name, &program.crate_version, &program.agents) {
        Ok(manifest) => {
            let mut response = Response::new(Body::from(manifest.to_json()));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => {
            Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "no_manifest", Causes(&error).to_string())
                .into_response()
        }
    }
}

/// The header with the manifest's hash, on requests and responses.
///
/// No event repeats the hash, not even in `RUN_STARTED` metadata: streams are recorded, replayed and compared, and some clients
/// show every event. Each changed type would change every stream.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-agui-manifest");

/// Outdated clients that are remembered and logged; limited, because strangers choose the values.
const OUTDATED: usize = 16;

/// Bytes of a client's header that are compared: more than any hash has.
const LONGEST: usize = 80;

/// Outdated clients that were logged, each by its header.
#[derive(Default)]
struct OutdatedClients(Mutex<BTreeSet<Vec<u8>>>);

impl OutdatedClients {
    /// Logs a client whose manifest differs from `agent`, once.
    fn warn_once(&self, client: &HeaderValue, agent: &HeaderValue) {
        if client == agent {
            return;
        }
        let client = client.as_bytes().get(..LONGEST).unwrap_or(client.as_bytes());
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.len() < OUTDATED && logged.insert(client.to_vec()) {
            let client = String::from_utf8_lossy(client);
            tracing::warn!(client = %quoted(client), ?agent, "a client was generated for another version of these agents");
        }
    }
}

/// Adds the manifest's hash to every response, and logs clients with another manifest. This helps development; no request fails
/// because of another hash.
pub(super) fn with_hash(router: Router, served: Vec<AgentSource>) -> Router {
    let hash: Arc<OnceLock<Option<HeaderValue>>> = Arc::default();
    let outdated: Arc<OutdatedClients> = Arc::default();
    // The middleware is cloned for each request.
    let served: Arc<[AgentSource]> = served.into();
    router.layer(middleware::from_fn(move |request: Request, next: Next| {
        let hash = hash.get_or_init(|| hash_of(&served)).clone();
        if let (Some(agent), Some(client)) = (&hash, request.headers().get(HEADER)) {
            outdated.warn_once(client, agent);
        }
        async move {
            let mut response = next.run(request).await;
            if let Some(hash) = hash {
                response.headers_mut().insert(HEADER, hash);
            }
            response
        }
    }))
}

/// Returns the manifest's hash; `None` without a manifest, in which case the route reports the reason.
fn hash_of(served: &[AgentSource]) -> Option<HeaderValue> {
    let program = Program::new(served.iter().cloned());
    let manifest = Manifest::build(&program.crate_name, &program.crate_version, &program.agents).ok()?;
    HeaderValue::from_str(&manifest.hash.wire).ok()
}
