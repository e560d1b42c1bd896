//! How a program that serves agents says what it is made of: to `agui-codegen`, which runs it, and over HTTP.

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

/// The first words of `#[agui_runtime::main]`: when a manifest was asked for, writes it and ends the program, before any
/// code of the user's runs.
///
/// A program none of whose agents is known yet goes on; it will be asked again when it serves them. With the feature
/// `no-manifest-hook` every program goes on.
pub fn init(crate_name: &str, crate_version: &str) {
    if cfg!(feature = "no-manifest-hook") {
        return;
    }
    let agents = hook::registered();
    if !agents.is_empty() {
        end_if(hook::write_if_asked(crate_name, crate_version, agents));
    } else if std::env::var_os(hook::OUT).is_some() {
        // Who asked tells people what this means, if nothing else comes.
        let _ = writeln!(io::stderr(), "{}", hook::NONE_YET);
    }
}

/// The same for programs with a `main` of their own, as soon as they have agents to serve.
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
    // Where not even this can be written, the exit code has to do.
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

/// `GET /agui/manifest.json`. Built when it is asked for: only development asks.
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

/// The header by which clients and agents say what they were made from.
///
/// Nothing else says it, the metadata of `RUN_STARTED` neither: what is in a stream is recorded, replayed and compared, and
/// shown by clients that show everything. There, each change of a type would change every stream.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-agui-manifest");

/// How many outdated clients are told apart. What is kept of what strangers send has an end, and so has what is said of it.
const OUTDATED: usize = 16;

/// How much of what a client sends is looked at: more than any hash.
const LONGEST: usize = 80;

/// The outdated clients that were pointed out, each by what it sent.
#[derive(Default)]
struct Outdated(Mutex<BTreeSet<Vec<u8>>>);

impl Outdated {
    /// Points out a client that was made from something else than `agent`, once.
    fn tell(&self, client: &HeaderValue, agent: &HeaderValue) {
        if client == agent {
            return;
        }
        let client = client.as_bytes().get(..LONGEST).unwrap_or(client.as_bytes());
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < OUTDATED && told.insert(client.to_vec()) {
            let client = String::from_utf8_lossy(client);
            tracing::warn!(client = %quoted(client), ?agent, "a client was generated for another version of these agents");
        }
    }
}

/// Every answer says what the agents are made of, and clients that were made from something else are pointed out:
/// development wants to know, and nothing fails for it.
pub(super) fn with_hash(router: Router, served: Vec<AgentSource>) -> Router {
    let hash: Arc<OnceLock<Option<HeaderValue>>> = Arc::default();
    let outdated: Arc<Outdated> = Arc::default();
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

/// The hash of the manifest; `None` where there is no manifest, which the route that is asked for it explains.
fn hash_of(served: &[AgentSource]) -> Option<HeaderValue> {
    let program = Program::new(served.iter().cloned());
    let manifest = Manifest::build(&program.crate_name, &program.crate_version, &program.agents).ok()?;
    HeaderValue::from_str(&manifest.hash.wire).ok()
}

/// What a manifest is made of.
struct Program {
    crate_name: String,
    crate_version: String,
    /// Those that are linked in, and those that are served without being known to the linker.
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

/// The package that defines an agent. An agent that is not registered has its crate's name in its path.
fn package(agent: &AgentSource) -> (String, String) {
    let known = inventory::iter::<hook::AgentEntry>()
        .find(|entry| (entry.source)().rust_path == agent.rust_path)
        .map(|entry| (entry.crate_name.to_owned(), entry.crate_version.to_owned()));
    known.unwrap_or_else(|| {
        let name = agent.rust_path.split("::").next().unwrap_or_default();
        (name.to_owned(), agent.version.to_owned())
    })
}
