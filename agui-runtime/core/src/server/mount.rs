//! A server's routes: agents and their paths.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::Route;
use http::request::Parts;
use tower_layer::Layer;
use tower_service::Service;

use super::Server;
use super::response::rejection::Rejection;
use crate::agent::{Agent, DynAgent, IntoDynAgent, RunOptions};
use crate::manifest::AgentSource;

/// An agent at a path.
pub(super) struct MountedAgent {
    pub(super) path: String,
    pub(super) source: AgentSource,
    pub(super) offer: AgentOffer,
    pub(super) protocol: RouteProtocol,
}

/// The source of a run's agent.
pub(super) enum AgentOffer {
    One(Arc<dyn DynAgent>),
    ForEach {
        make: AgentFactory,
        /// [`Agent::RESTARTS`].
        restarts: bool,
    },
}

type AgentFactory = Box<dyn Fn(&Parts) -> Result<Arc<dyn DynAgent>, Rejection> + Send + Sync>;

impl AgentOffer {
    pub(super) fn agent(&self, parts: &Parts) -> Result<Arc<dyn DynAgent>, Rejection> {
        match self {
            Self::One(agent) => Ok(Arc::clone(agent)),
            Self::ForEach { make, .. } => make(parts),
        }
    }
}

/// A layer that waits for the routes inside.
pub(super) type RouterLayer = Box<dyn FnOnce(Router) -> Router + Send + Sync>;

/// A route's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouteProtocol {
    AgUi,
    #[cfg(feature = "dialect")]
    SnakeCase,
}

impl RouteProtocol {
    /// Returns a malformed request's rejection as the protocol defines it.
    pub(super) fn malformed(self, rejection: Rejection) -> Rejection {
        match self {
            Self::AgUi => rejection,
            // The dialect has no other status for a fault of the client.
            #[cfg(feature = "dialect")]
            Self::SnakeCase if rejection.status().is_client_error() => {
                rejection.with_status(http::StatusCode::BAD_REQUEST)
            }
            #[cfg(feature = "dialect")]
            Self::SnakeCase => rejection,
        }
    }
}

impl Server {
    /// Serves an agent at a path: `/`, `/chef`, `/kitchen/chef`. Literal and percent-encoded, as requests name the path.
    pub fn agent<A: Agent>(self, path: &str, agent: A) -> Self {
        self.dyn_agent(path, Arc::new(agent))
    }

    /// Serves an agent as a trait object, or one with several paths.
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
    pub fn dyn_agent(self, path: &str, agent: impl IntoDynAgent) -> Self {
        let agent = agent.into_dyn_agent();
        self.mount(path.to_owned(), agent.describe(), AgentOffer::One(agent), RouteProtocol::AgUi)
    }

    /// Serves an agent that is made for each request, from the request head: for agents whose dependencies differ between
    /// requests, such as a tenant's database. The closure may refuse the request.
    ///
    /// Slow work, such as looking up a token's owner, belongs into a [`layer`](Self::layer), which leaves its result in the
    /// extensions. A closure that panics causes status 500 and code `internal`. If only the user differs, one agent with a
    /// parameter [`#[request]`](macro@crate::agent#what-comes-with-the-request) is simpler. The agent's capabilities and manifest
    /// come from its type, once.
    ///
    /// With a [`threads`](Self::threads) store, an agent that may be [run again](macro@crate::agent#restart) is refused when the
    /// server starts: a server that continues a lost run has no request to make the agent from. Use [`agent`](Self::agent), or
    /// leave `restart` out.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::Server;
    /// use agui_runtime::http::Rejection;
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
        path: &str,
        make: impl Fn(&Parts) -> Result<A, Rejection> + Send + Sync + 'static,
    ) -> Self {
        let make: AgentFactory = Box::new(move |parts| Ok(Arc::new(make(parts)?)));
        let offer = AgentOffer::ForEach { make, restarts: A::RESTARTS };
        self.mount(path.to_owned(), A::source(), offer, RouteProtocol::AgUi)
    }

    /// Chooses each run's [`RunOptions`] from the request head: a recorder, a clock, the delta format, and values for
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request), such as a header's value. The peer is the one that the
    /// client declares, unless the options set another.
    ///
    /// The request's extensions are added automatically; values from this closure take precedence.
    ///
    /// ```
    /// use agui_runtime::{RunOptions, Server};
    ///
    /// /// The language of the caller.
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

    /// Puts a layer around the agents, their capabilities and the manifest: authentication, tracing, any axum or tower layer. The
    /// last added layer sees a request first.
    ///
    /// Agents and tools take values that a layer puts into the request's extensions by reference; see
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request). Browsers' preflight requests, which carry no credentials,
    /// get their response before any layer. Your own [routes](Self::routes) bring their own layers.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::Server;
    /// use agui_runtime::http::Rejection;
    /// use axum::extract::Request;
    /// use axum::middleware::{self, Next};
    /// use axum::response::Response;
    ///
    /// /// The caller.
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

    pub(super) fn mount(
        mut self,
        path: String,
        source: AgentSource,
        offer: AgentOffer,
        protocol: RouteProtocol,
    ) -> Self {
        self.agents.push(MountedAgent { path, source, offer, protocol });
        self
    }

    /// Serves other routes too, such as the user interface's page.
    ///
    /// They are merged as [`Router::merge`] does. An agent and a page may share a path, one for `POST`, the other for `GET`.
    /// Further calls add routes. Handlers that take an [`AgUiInput`](crate::http::AgUiInput) have this server's settings.
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
    /// As axum does if two added routes have the same path and method. A route that conflicts with an agent's is a server
    /// [error](crate::Error::DuplicatePath).
    pub fn routes(mut self, routes: Router) -> Self {
        self.routes = Some(match self.routes.take() {
            Some(others) => others.merge(routes),
            None => routes,
        });
        self
    }
}
