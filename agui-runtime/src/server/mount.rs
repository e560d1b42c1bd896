//! What a server answers with, and where.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::Route;
use http::StatusCode;
use http::request::Parts;
use tower::{Layer, Service};

use super::Server;
use super::rejection::Rejection;
use crate::manifest::AgentSource;
use crate::{Agent, DynAgent, RunOptions};

/// An agent at a path.
pub(super) struct Mounted {
    pub(super) path: String,
    pub(super) source: AgentSource,
    pub(super) offer: Offer,
    pub(super) contract: Contract,
}

/// Where the agent of a run comes from.
pub(super) enum Offer {
    One(Arc<dyn DynAgent>),
    ForEach(Make),
}

type Make = Box<dyn Fn(&Parts) -> Result<Arc<dyn DynAgent>, Rejection> + Send + Sync>;

impl Offer {
    pub(super) fn agent(&self, parts: &Parts) -> Result<Arc<dyn DynAgent>, Rejection> {
        match self {
            Self::One(agent) => Ok(Arc::clone(agent)),
            Self::ForEach(make) => make(parts),
        }
    }
}

/// A layer that waits for the routes it goes around.
pub(super) type Around = Box<dyn FnOnce(Router) -> Router + Send + Sync>;

/// What is spoken there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contract {
    AgUi,
    SnakeCase,
}

impl Contract {
    /// The rejection of a malformed request as the contract knows it.
    pub(super) fn malformed(self, rejection: Rejection) -> Rejection {
        match self {
            Self::AgUi => rejection,
            // The dialect knows no other status for a fault of the client.
            Self::SnakeCase => rejection.with_status(StatusCode::BAD_REQUEST),
        }
    }
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
        self.mount(path.into(), agent.source(), Offer::One(agent), Contract::AgUi)
    }

    /// Serves an agent that is made for each request, from its head: where what the agent depends on differs between
    /// requests, such as the database of the tenant who asks. The closure may refuse the request.
    ///
    /// What takes time, such as asking a database who the bearer of a token is, belongs into a [`layer`](Self::layer), which
    /// leaves its answer in the extensions. Where only the person who asks differs, one agent with a parameter
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request) is simpler. What the agent declares, its capabilities and
    /// its manifest, comes from its type, once.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::{Rejection, Server};
    ///
    /// #[derive(Clone)]
    /// struct Shop;
    ///
    /// /// Sells from one shop.
    /// #[agent]
    /// async fn seller(run: &mut Run<Seller>, input: Input<Seller>, shop: &Shop) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// # fn example(shops: HashMap<String, Shop>) -> Server {
    /// Server::new().agent_with("/", move |parts| {
    ///     let host = parts.headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
    ///     let shop = shops.get(host).ok_or_else(|| Rejection::forbidden("there is no such shop"))?;
    ///     Ok(Seller::new(shop.clone()))
    /// })
    /// # }
    /// ```
    pub fn agent_with<A: Agent>(
        self,
        path: impl Into<String>,
        make: impl Fn(&Parts) -> Result<A, Rejection> + Send + Sync + 'static,
    ) -> Self {
        let make: Make = Box::new(move |parts| Ok(Arc::new(make(parts)?)));
        self.mount(path.into(), A::source(), Offer::ForEach(make), Contract::AgUi)
    }

    /// Decides the [`RunOptions`] of each run, from the head of its request: a recorder, a clock, how deltas are written, and
    /// values for [`#[request]`](macro@crate::agent#what-comes-with-the-request), such as what a header says. The peer is the one
    /// the client declares, unless the options say another.
    ///
    /// The extensions of the request come along by themselves; a value that is added here wins over one of those.
    ///
    /// ```
    /// use agui_runtime::{RunOptions, Server};
    ///
    /// /// The language of who asks.
    /// #[derive(Clone)]
    /// struct Language(String);
    ///
    /// let server = Server::new().run_options(|parts| {
    ///     let language = parts.headers.get("accept-language").and_then(|value| value.to_str().ok());
    ///     RunOptions::default().last_snapshot(true).request(Language(language.unwrap_or("en").to_owned()))
    /// });
    /// ```
    pub fn run_options(mut self, options: impl Fn(&Parts) -> RunOptions + Send + Sync + 'static) -> Self {
        self.settings.options = Some(Arc::new(options));
        self
    }

    /// Puts a layer around the agents, their capabilities and the manifest: authentication, tracing, anything made for
    /// axum or tower. The layer that was added last sees a request first.
    ///
    /// What a layer puts into the extensions of a request, agents and tools take by reference; see
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request). Preflight requests of browsers, which carry no credentials,
    /// are answered before they get here, and so are the [routes](Self::routes) of your own, which bring their own layers.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::{Rejection, Server};
    /// use axum::extract::Request;
    /// use axum::middleware::{self, Next};
    /// use axum::response::Response;
    ///
    /// /// Who asks.
    /// #[derive(Clone)]
    /// struct Customer {
    ///     name: String,
    /// }
    ///
    /// /// Serves customers.
    /// #[agent]
    /// async fn desk(run: &mut Run<Desk>, input: Input<Desk>, #[request] who: &Customer) -> Result<(), Stop> {
    ///     run.say(format!("Hello, {}!", who.name)).await;
    ///     Ok(())
    /// }
    ///
    /// async fn authenticate(mut request: Request, next: Next) -> Result<Response, Rejection> {
    ///     # fn verify(_: &str) -> Option<Customer> { None }
    ///     let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    ///     let customer = header.and_then(|value| verify(value.strip_prefix("Bearer ")?));
    ///     let customer = customer.ok_or_else(|| Rejection::unauthenticated("sign in first"))?;
    ///     request.extensions_mut().insert(customer);
    ///     Ok(next.run(request).await)
    /// }
    ///
    /// let server = Server::new().agent("/", Desk::new()).layer(middleware::from_fn(authenticate));
    /// ```
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        self.layers.push(Box::new(move |router| router.layer(layer)));
        self
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
        self.mount(path.into(), agent.source(), Offer::One(agent), Contract::SnakeCase)
    }

    fn mount(mut self, path: String, source: AgentSource, offer: Offer, contract: Contract) -> Self {
        self.agents.push(Mounted { path, source, offer, contract });
        self
    }

    /// Serves other routes too, such as the page that talks to the agents.
    ///
    /// They are merged the way [`Router::merge`] does it. An agent and a page may share a path, one answering `POST`, the
    /// other `GET`. Called again, it adds to what is there. Handlers that take an [`AgUiInput`](crate::AgUiInput) have the
    /// settings of this server.
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
