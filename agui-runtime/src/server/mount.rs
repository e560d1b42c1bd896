//! What a server answers with, and where.

use std::sync::Arc;

use axum::Router;

use super::Server;
use crate::{Agent, DynAgent};

/// An agent at a path.
pub(super) struct Mounted {
    pub(super) path: String,
    pub(super) agent: Arc<dyn DynAgent>,
    pub(super) contract: Contract,
}

/// What is spoken there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contract {
    AgUi,
    SnakeCase,
}

impl Server {
    /// Serves an agent at a path: `/`, `/chef`, `/kitchen/chef`. Literal and percent-encoded, as requests name it.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Server};
    /// # fn example(chef: impl Agent) {
    /// let server = Server::new().agent("/kitchen/chef", chef);
    /// # }
    /// ```
    pub fn agent<A: Agent>(self, path: impl Into<String>, agent: A) -> Self {
        self.dyn_agent(path, Arc::new(agent))
    }

    /// Serves an agent whose type is not known here, or that is at several paths.
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::{DynAgent, Server};
    ///
    /// # fn example(chef: impl Agent) {
    /// let chef: Arc<dyn DynAgent> = Arc::new(chef);
    /// let server = Server::new().dyn_agent("/", Arc::clone(&chef)).dyn_agent("/chef", chef);
    /// # }
    /// ```
    pub fn dyn_agent(self, path: impl Into<String>, agent: Arc<dyn DynAgent>) -> Self {
        self.mount(path.into(), agent, Contract::AgUi)
    }

    /// Serves an agent at a path to clients that do not speak AG-UI but the [snake_case dialect](crate::wire::snake_case) (AG-UI 1.0,
    /// section "The snake_case dialect"): at [`CHAT_PATH`](crate::wire::snake_case::CHAT_PATH), at
    /// [`AGENT_PATH`](crate::wire::snake_case::AGENT_PATH), or wherever they ask.
    ///
    /// The agent is none the wiser: its input says 1.0, has ids made up for what the dialect has none for, and `agent_id`, `model_id`
    /// and `enable_deep_thinking` as forwarded props. Of what it says, the client gets what the dialect can say, one message or call
    /// after the other; state, activities, steps, subagents and metadata are left out, and a run that asks something or is cancelled
    /// ends as an error. A malformed request gets status 400, whatever is wrong with it. Capabilities are not declared.
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use agui_runtime::Server;
    /// use agui_runtime::wire::snake_case::CHAT_PATH;
    ///
    /// # fn example(chef: impl Agent) {
    /// let server = Server::new().snake_case_agent(CHAT_PATH, chef);
    /// # }
    /// ```
    pub fn snake_case_agent<A: Agent>(self, path: impl Into<String>, agent: A) -> Self {
        self.dyn_snake_case_agent(path, Arc::new(agent))
    }

    /// The same for an agent whose type is not known here, or that clients of AG-UI find elsewhere.
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::wire::snake_case::CHAT_PATH;
    /// use agui_runtime::{DynAgent, Server};
    ///
    /// # fn example(chef: impl Agent) {
    /// let chef: Arc<dyn DynAgent> = Arc::new(chef);
    /// let server = Server::new().dyn_agent("/", Arc::clone(&chef)).dyn_snake_case_agent(CHAT_PATH, chef);
    /// # }
    /// ```
    pub fn dyn_snake_case_agent(self, path: impl Into<String>, agent: Arc<dyn DynAgent>) -> Self {
        self.mount(path.into(), agent, Contract::SnakeCase)
    }

    fn mount(mut self, path: String, agent: Arc<dyn DynAgent>, contract: Contract) -> Self {
        self.agents.push(Mounted { path, agent, contract });
        self
    }

    /// Serves other routes too, such as the page that talks to the agents.
    ///
    /// They are merged the way [`Router::merge`] does it. An agent and a page may share a path, one answering `POST`, the
    /// other `GET`. Called again, it adds to what is there.
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use agui_runtime::Server;
    /// use axum::{Router, response::Html, routing::get};
    ///
    /// # fn example(chef: impl Agent) {
    /// let page = Router::new().route("/", get(|| async { Html("<h1>The kitchen</h1>") }));
    /// let server = Server::new().agent("/", chef).routes(page);
    /// # }
    /// ```
    ///
    /// # Panics
    /// As axum does when two routes have one path and method.
    pub fn routes(mut self, routes: Router) -> Self {
        self.routes = Some(match self.routes.take() {
            Some(others) => others.merge(routes),
            None => routes,
        });
        self
    }
}
