//! The agents that the page may run, and no others.

use std::fmt;
use std::sync::Arc;

use agui_runtime::client::Upstream;
use axum::Json;
use axum::extract::{Query, State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::note::Refusal;

/// The number of runs that go on at the same time.
const MAX_RUNS: usize = 32;

/// The agents of a page.
///
/// ```
/// use agui_runtime::client::Replay;
/// use agui_inspector::{Agent, Agents};
///
/// let agents = Agents::new([Agent::new("/cook", Replay::default()).about("Recipes", "Cooks with you.")]);
/// assert_eq!(agui_inspector::routes(agents).has_routes(), true);
/// ```
#[derive(Debug)]
pub struct Agents {
    agents: Vec<Agent>,
    pub(crate) runs: Arc<Semaphore>,
}

impl Agents {
    /// Creates the list, in the order of the page.
    pub fn new(agents: impl IntoIterator<Item = Agent>) -> Self {
        Self { agents: agents.into_iter().collect(), runs: Arc::new(Semaphore::new(MAX_RUNS)) }
    }

    /// Returns the agent at this address, if the page may run it.
    pub(crate) fn at(&self, url: &str) -> Result<&Agent, Refusal> {
        let agent = self.agents.iter().find(|agent| agent.shown.url == url);
        agent.ok_or_else(|| {
            Refusal::new(StatusCode::NOT_FOUND, "unknown_agent", "this page has no such agent")
        })
    }
}

/// An agent, and what the page says about it.
pub struct Agent {
    shown: Shown,
    pub(crate) upstream: Arc<dyn Upstream>,
}

/// The part of an agent that the page shows.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    url: String,
    group: String,
    about: String,
    /// The members of the input with which its button runs it; the page adds the ids.
    input: Value,
    /// The names of the headers that the program adds to each request. Their values may be secrets.
    headers: Vec<String>,
}

impl Agent {
    /// Creates an agent at an address: absolute, or a path on the server of the page.
    pub fn new(url: impl Into<String>, upstream: impl Upstream) -> Self {
        let shown = Shown {
            url: url.into(),
            group: String::new(),
            about: String::new(),
            input: json!({ "messages": [{ "id": "1", "role": "user", "content": "Hello!" }] }),
            headers: Vec::new(),
        };
        Self { shown, upstream: Arc::new(upstream) }
    }

    /// Sets the heading under which the page lists it, and a sentence about it.
    #[must_use]
    pub fn about(mut self, group: &str, about: &str) -> Self {
        group.clone_into(&mut self.shown.group);
        about.clone_into(&mut self.shown.about);
        self
    }

    /// Sets the members of the input with which its button runs it.
    #[must_use]
    pub fn input(mut self, input: Value) -> Self {
        self.shown.input = input;
        self
    }

    /// Names the headers that the upstream adds to each request, for the command that the page copies.
    #[must_use]
    pub fn headers<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.shown.headers = names.into_iter().map(Into::into).collect();
        self
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// `GET /inspector/agents`
pub(crate) async fn list(State(agents): State<Arc<Agents>>) -> Json<Value> {
    let agents: Vec<_> = agents.agents.iter().map(|agent| &agent.shown).collect();
    Json(json!({ "agents": agents }))
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    agent: String,
}

/// `GET /inspector/capabilities?agent=`
pub(crate) async fn capabilities(
    State(agents): State<Arc<Agents>>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Refusal> {
    let upstream = Arc::clone(&agents.at(&asked.agent)?.upstream);
    match upstream.capabilities().await {
        Ok(declared) => Ok(Json(json!({ "capabilities": declared }))),
        Err(error) => Ok(Json(json!({ "error": error.to_string() }))),
    }
}
