//! The manifest of a program that serves agents: for `agui-codegen`, which runs the program, and over HTTP.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::rejection::Rejection;
use crate::manifest::{AgentSource, Manifest, ManifestError, hook};
use crate::quoted::quoted;

const PATH: &str = "/agui/manifest.json";

/// The first statement of `#[agui_runtime::main]`: writes the manifest and ends the program if the manifest was
/// requested, before any code of the user runs.
///
/// A program without registered agents continues, and checks the request again when it serves agents. With the feature
/// `no-manifest-hook` every program continues.
#[doc(hidden)]
pub fn init(crate_name: &str, crate_version: &str) {
    if cfg!(feature = "no-manifest-hook") {
        return;
    }
    let agents = hook::registered();
    if !agents.is_empty() {
        end_if(hook::write_if_asked(crate_name, crate_version, agents));
    } else if std::env::var_os(hook::OUT).is_some() {
        // The program that asked shows this to its user, if no manifest follows.
        let _ = writeln!(io::stderr(), "{}", hook::NONE_YET);
    }
}

/// Does the same for programs with a `main` of their own, once they have agents to serve.
pub(super) fn hand_over_if_asked(served: impl IntoIterator<Item = AgentSource>) {
    if std::env::var_os(hook::OUT).is_some() && !cfg!(feature = "no-manifest-hook") {
        let Program { crate_name, crate_version, agents } = Program::new(served);
        end_if(hook::write_if_asked(&crate_name, &crate_version, agents));
    }
}

fn end_if(written: Result<bool, ManifestError>) {
    match written {
        Ok(false) => {}
        Ok(true) => process::exit(0),
        Err(error) => give_up(&format!("the manifest was not written: {}", with_causes(&error))),
    }
}

/// Ends the program with the reason on standard error.
pub(super) fn give_up(reason: &str) -> ! {
    // If this cannot be written either, only the exit code reports the failure.
    let _ = writeln!(io::stderr(), "error: {reason}");
    process::exit(1)
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Adds `GET /agui/manifest.json`. It is built on request, because only development needs it.
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
        Err(error) => Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "no_manifest", with_causes(&error))
            .into_response(),
    }
}

/// The header with the hash of the manifest, on requests and answers.
///
/// No event repeats it, not even in the metadata of `RUN_STARTED`: streams are recorded, replayed and compared, and
/// some clients show every event. Each change of a type would change every stream.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-agui-manifest");

/// The number of outdated clients that are remembered and logged, because strangers choose the values.
const OUTDATED: usize = 16;

/// The number of bytes of a client's header that are compared: more than any hash has.
const LONGEST: usize = 80;

/// The outdated clients that were logged, each by its header.
#[derive(Default)]
struct Outdated(Mutex<BTreeSet<Vec<u8>>>);

impl Outdated {
    /// Logs a client of another manifest than `agent`, once.
    fn tell(&self, client: &HeaderValue, agent: &HeaderValue) {
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

/// Adds the hash of the manifest to every answer, and logs clients of another manifest. This helps development, and no
/// request fails because of it.
pub(super) fn with_hash(router: Router, served: Vec<AgentSource>) -> Router {
    let hash: Arc<OnceLock<Option<HeaderValue>>> = Arc::default();
    let outdated: Arc<Outdated> = Arc::default();
    // The middleware is cloned for each request.
    let served: Arc<[AgentSource]> = served.into();
    router.layer(middleware::from_fn(move |request: Request, next: Next| {
        let hash = hash.get_or_init(|| hash_of(&served)).clone();
        if let (Some(agent), Some(client)) = (&hash, request.headers().get(HEADER)) {
            outdated.tell(client, agent);
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

/// Returns the hash of the manifest; `None` if there is no manifest, for which the route reports the reason.
fn hash_of(served: &[AgentSource]) -> Option<HeaderValue> {
    let program = Program::new(served.iter().cloned());
    let manifest = Manifest::build(&program.crate_name, &program.crate_version, &program.agents).ok()?;
    HeaderValue::from_str(&manifest.hash.wire).ok()
}

/// The source of a manifest.
struct Program {
    crate_name: String,
    crate_version: String,
    /// The linked agents, and the served agents that the linker does not know.
    agents: Vec<AgentSource>,
}

impl Program {
    fn new(served: impl IntoIterator<Item = AgentSource>) -> Self {
        let mut agents = hook::registered();
        let mut served = served.into_iter().peekable();
        let (crate_name, crate_version) = served.peek().map(package).unwrap_or_default();
        for agent in served {
            if agents.iter().all(|known| known.rust_path != agent.rust_path) {
                agents.push(agent);
            }
        }
        Self { crate_name, crate_version, agents }
    }
}

/// Returns the package that defines an agent. The path of an unregistered agent contains the name of its crate.
fn package(agent: &AgentSource) -> (String, String) {
    let known = inventory::iter::<hook::AgentEntry>()
        .find(|entry| (entry.source)().rust_path == agent.rust_path)
        .map(|entry| (entry.crate_name.to_owned(), entry.crate_version.to_owned()));
    known.unwrap_or_else(|| {
        let name = agent.rust_path.split("::").next().unwrap_or_default();
        (name.to_owned(), agent.version.to_owned())
    })
}
