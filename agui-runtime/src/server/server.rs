//! `Server`: agents, their paths and the settings of both.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::middleware;
use axum::{Extension, Router};

#[cfg(feature = "a2a")]
use super::a2a;
use super::body_time::BodyTime;
use super::cors::{self, Origins};
use super::gate::{self, Gate, Hosts};
use super::health::{self, Readiness};
use super::input_limits::InputLimits;
use super::limits::Limits;
#[cfg(feature = "mcp")]
use super::mcp;
use super::metrics::Sent;
use super::mount::{Around, Mounted};
use super::reading::Reading;
use super::run_slots::Places;
use super::settings::Settings;
use super::shutdown::StopSignal;
use super::threads::{ThreadOptions, Threads};
#[cfg(feature = "webhooks")]
use super::webhooks::{Outbox, Webhooks};
#[cfg(feature = "websocket")]
use super::websocket;
use super::{manifest, panicked, routes, tools};
use crate::consent::InterruptKey;
use crate::kernel::Peer;
use crate::manifest::{AgentSource, hand_over_if_asked};
use crate::server::Error;
use crate::thread::ThreadLog;

/// Agents on one HTTP server: each at its path, with its capabilities below it.
///
/// | request | answer |
/// |---|---|
/// | `POST path` | a run, as server-sent events, or as protobuf for a client whose `Accept` names [that type](crate::wire::proto::CONTENT_TYPE) (AG-UI 1.0, section "Transports") |
/// | `GET path/capabilities` | the agent's [`AgentCapabilities`](crate::protocol::AgentCapabilities) |
/// | `POST path` of a `snake_case_agent` (feature `dialect`) | a run, for clients of that dialect |
/// | `POST path` of an `a2a` (feature `a2a`) | the tasks of an agent, for A2A clients; its card below it |
/// | `POST path` of an `mcp` (feature `mcp`) | the tools of an agent, for MCP clients |
/// | `GET /agui/ws` of a [`websocket`](Self::websocket) (feature `websocket`) | a WebSocket for many runs |
/// | `GET /agui/manifest.json` | the manifest for `agui-codegen`; in development |
/// | `GET path/live`, `GET path/ready` of [`health`](Self::health) | for load balancers |
///
/// Malformed requests get a 4xx status and a JSON body, `{"error": {"code", "message", "path"}}`, before any run
/// starts. A client that leaves ends its run: the agent's function call is dropped at its next `.await`. If code that
/// you add panics, such as a layer, the answer is status 500 with code `internal`, and the log has the text of the
/// panic.
///
/// Pages of other origins are refused, see [`allow_origins`](Self::allow_origins); so are requests beyond the
/// [`Limits`].
///
/// ```no_run
/// # use agui_runtime::Agent;
/// use agui_runtime::Server;
/// # async fn example(chef: impl Agent, waiter: impl Agent) -> Result<(), agui_runtime::Error> {
/// Server::new().agent("/chef", chef).agent("/waiter", waiter).serve().await
/// # }
/// ```
///
#[doc = include_str!("../docs/metrics.md")]
#[must_use = "a server does nothing until it serves"]
pub struct Server {
    pub(super) agents: Vec<Mounted>,
    #[cfg(feature = "a2a")]
    pub(super) a2a: Vec<a2a::MountedA2a>,
    #[cfg(feature = "mcp")]
    pub(super) mcp: Vec<mcp::MountedMcp>,
    pub(super) routes: Option<Router>,
    pub(super) layers: Vec<Around>,
    pub(super) settings: Settings,
    pub(super) thread_log: Option<Arc<dyn ThreadLog>>,
    pub(super) thread_options: ThreadOptions,
    origins: AllowedOrigins,
    hosts: Option<Vec<String>>,
    expose_manifest: bool,
    pub(super) health: Option<String>,
}

/// As the user wrote them: they are parsed when the server is built.
enum AllowedOrigins {
    Any,
    Named(Vec<String>),
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl Server {
    /// Returns a server without agents, for pages of its own origin and of this machine, with the default [`Limits`].
    ///
    /// ```
    /// let server = agui_runtime::Server::new();
    /// ```
    pub fn new() -> Self {
        Self {
            agents: Vec::new(),
            #[cfg(feature = "a2a")]
            a2a: Vec::new(),
            #[cfg(feature = "mcp")]
            mcp: Vec::new(),
            routes: None,
            layers: Vec::new(),
            settings: Settings::default(),
            thread_log: None,
            thread_options: ThreadOptions::default(),
            origins: AllowedOrigins::Named(Vec::new()),
            hosts: None,
            expose_manifest: cfg!(debug_assertions),
            health: None,
        }
    }

    /// Lets pages of these origins send requests to the server too, with their cookies. Further calls add origins.
    ///
    /// By default only pages from the server itself (`Origin` and `Host` of a request name the same authority) and from
    /// this machine (`http` or `https` at `localhost`, `127.0.0.0/8` or `[::1]`, any port) may. A request with another
    /// `Origin`, including a preflight and `Origin: null`, gets status 403 and code `origin_not_allowed` before any
    /// other code runs. Clients that send no `Origin` are not affected: servers, command lines, apps.
    ///
    /// Name the origin of your own pages here if they are behind a proxy that changes `Host`, or if users open them
    /// over plain HTTP by a name, which an attacker could point to this server; see [Pages that may talk to a
    /// server](crate#pages-that-may-talk-to-a-server). [Your own routes](Self::routes) are checked too.
    ///
    /// ```
    /// use agui_runtime::{Error, Server};
    ///
    /// let server = Server::new().allow_origins(["https://app.example", "http://192.168.0.9:5173"]);
    /// assert!(server.router().is_ok());
    ///
    /// let wrong = Server::new().allow_origins(["app.example"]);
    /// assert!(matches!(wrong.router(), Err(Error::InvalidOrigin { .. })), "an origin has a scheme");
    /// ```
    pub fn allow_origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        if let AllowedOrigins::Named(named) = &mut self.origins {
            named.extend(origins.into_iter().map(Into::into));
        }
        self
    }

    /// Lets every page of the web send requests to the server, without cookies.
    ///
    /// Use it if every person on the web may run the agents: a public demo, or a server whose requests carry a token
    /// that the page must know. A server on your own machine that is open this way runs for every page that you visit.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().allow_any_origin();
    /// ```
    pub fn allow_any_origin(mut self) -> Self {
        self.origins = AllowedOrigins::Any;
        self
    }

    /// Sets the hosts by which requests may call the server (`Host`, or `:authority`), besides loopback names. Further
    /// calls add hosts.
    ///
    /// By default a server that listens on a loopback address answers only to loopback names, because an attacker can
    /// point the name of a host of their own to this machine (DNS rebinding). A server on another address answers to
    /// any host, and so does a [`router`](Self::router), whose address is unknown; with this method both are limited to
    /// the named hosts. Name them if a server is in a private network: then pages of these hosts are admitted over
    /// plain HTTP as well, and pages of all others cannot even send a `GET`. A request for another host gets status 403
    /// and code `host_not_allowed`.
    ///
    /// ```
    /// use agui_runtime::{Error, Server};
    ///
    /// assert!(Server::new().allow_hosts(["agent.internal"]).router().is_ok());
    ///
    /// let wrong = Server::new().allow_hosts(["agent.internal:8000"]);
    /// assert!(matches!(wrong.router(), Err(Error::InvalidHost { .. })), "a host has no port here");
    /// ```
    pub fn allow_hosts<H: Into<String>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.hosts.get_or_insert_default().extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Sets the concurrency and the timeouts of the server; see [`Limits`], also for the defaults.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::{Limits, Server};
    ///
    /// let server = Server::new().limits(Limits::default().runs(64).run_timeout(Duration::from_secs(60)));
    /// ```
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Identifies clients for [`Limits::runs_per_identity`], by a type that a layer put into the request's extensions:
    /// the function returns the key of the client. A request without such a value counts for no identity.
    ///
    /// The questions of a run are signed for the identity of its client, so that no other client can answer them; see
    /// [`RunOptions::subject`](crate::RunOptions::subject).
    ///
    /// ```
    /// use agui_runtime::{Limits, Server};
    ///
    /// #[derive(Clone)]
    /// struct Customer { id: u64 }
    ///
    /// let server = Server::new()
    ///     .identity(|who: &Customer| who.id.to_string())
    ///     .limits(Limits::default().runs_per_identity(2));
    /// ```
    pub fn identity<T: Clone + Send + Sync + 'static>(
        mut self,
        key: impl Fn(&T) -> String + Send + Sync + 'static,
    ) -> Self {
        self.settings.identity = Some(Arc::new(move |extensions| extensions.get::<T>().map(&key)));
        self
    }

    /// Sets the limits of the JSON of an input: the number of values, messages and tools, the depth, the length; see
    /// [`InputLimits`] for the defaults and the answers.
    ///
    /// ```
    /// use agui_runtime::Server;
    /// use agui_runtime::http::InputLimits;
    ///
    /// let server = Server::new().input_limits(InputLimits::default().messages(2_000));
    /// ```
    pub fn input_limits(mut self, limits: InputLimits) -> Self {
        self.settings.reading = Reading::new(limits);
        self
    }

    /// Sets the time that a stream may be quiet before a heartbeat is sent, so that no proxy takes it for dead; 15 s by
    /// default. `None` sends none.
    ///
    /// Over server-sent events a heartbeat is a comment. Over the binary transport it is one byte of a frame that the
    /// client drops when it is complete; the official client of 1.0 then logs a warning. A client before 1.0 knows no
    /// such frame, and gets one byte in each quiet time.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let often = agui_runtime::Server::new().keep_alive(Duration::from_secs(5));
    /// let never = agui_runtime::Server::new().keep_alive(None);
    /// ```
    pub fn keep_alive(mut self, every: impl Into<Option<Duration>>) -> Self {
        self.settings.keep_alive = every.into().filter(|every| !every.is_zero());
        self
    }

    /// Sets the generation of clients that send inputs without `protocolVersion`: [`Peer::Legacy`] by default.
    ///
    /// Set [`Peer::Current`] only if every client is known to speak 1.0 without declaring it: older ones end the whole
    /// run on material that they do not know.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().assume_peer(agui_runtime::Peer::Current);
    /// ```
    pub fn assume_peer(mut self, peer: Peer) -> Self {
        self.settings.assumed_peer = peer;
        self
    }

    /// Sets whether clients of the [`Peer::Legacy`] generation get one message or call at a time, as
    /// [`Serial`](crate::events::Serial) sends them; by default they get them interleaved.
    ///
    /// Set true if some of them are as old as version 0.0.36 of the official client: those end the whole run when two
    /// items are open at once. Clients of 1.0 are not affected.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().serial(true);
    /// ```
    pub fn serial(mut self, serial: bool) -> Self {
        self.settings.serial = serial;
        self
    }

    /// Sets whether clients see errors as the log does: [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors)
    /// for every run whose own options do not set it. Off by default, in debug builds too: the behaviour of a server
    /// that is reached from outside must not depend on its build.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().reveal_errors(cfg!(debug_assertions));
    /// ```
    pub fn reveal_errors(mut self, reveal: bool) -> Self {
        self.settings.reveal_errors = reveal;
        self
    }

    /// Sets whether [spans](crate::telemetry) have the content of messages:
    /// [`RunOptions::record_content`](crate::RunOptions::record_content) for every run whose own options do not set it. Off
    /// by default, in every build.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().record_content(cfg!(debug_assertions));
    /// ```
    pub fn record_content(mut self, record: bool) -> Self {
        self.settings.record_content = record;
        self
    }

    /// Signs the questions of interrupted runs with this key, so that only they can be answered. The default is the
    /// secret in the environment variable `AGUI_SECRET`, or if that is not set, a random one: then no answer counts
    /// after a restart, or on another machine. See [`InterruptKey`].
    ///
    /// ```
    /// use agui_runtime::{InterruptKey, Server};
    ///
    /// let server = Server::new().interrupt_key(InterruptKey::new([7; 32])?);
    /// # Ok::<(), agui_runtime::interrupts::InterruptKeyError>(())
    /// ```
    pub fn interrupt_key(mut self, key: InterruptKey) -> Self {
        self.settings.proof = self.settings.proof.with_key(key);
        self
    }

    /// Sets the time for which a question of an interrupted run can be answered, if the agent sets no expiry; 24 hours
    /// by default. See [`RunOptions::interrupt_lifetime`](crate::RunOptions::interrupt_lifetime).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let server = agui_runtime::Server::new().interrupt_lifetime(Duration::from_secs(15 * 60));
    /// ```
    pub fn interrupt_lifetime(mut self, lifetime: Duration) -> Self {
        self.settings.proof = self.settings.proof.with_lifetime(lifetime);
        self
    }

    /// Sets whether interrupts go out under the ids that agents give them, and every answer counts: **then a client can
    /// approve calls that were never asked about, with arguments of its own** (see [What you may
    /// trust](crate#what-you-may-trust)). For clients that expect fixed ids. Off by default, and for runs whose own
    /// options say `false`.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().unsigned_interrupts(true); // for a conformance test
    /// ```
    pub fn unsigned_interrupts(mut self, unsigned: bool) -> Self {
        self.settings.proof = self.settings.proof.unsigned(unsigned);
        self
    }

    /// Lets clients hold one WebSocket at `/agui/ws`, on which they start many runs: for pages with several agents, for
    /// networks that open connections slowly, and for clients that read some runs slower than others.
    ///
    /// Each run on the socket is a request of its own: it passes the [layers](Self::layer), counts for the [`Limits`], and
    /// is refused as it would be over HTTP. The handshake passes the checks of [origins](Self::allow_origins) and
    /// [hosts](Self::allow_hosts).
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use agui_runtime::Server;
    ///
    /// # fn example(chef: impl Agent, waiter: impl Agent) {
    /// let server = Server::new().websocket().agent("/chef", chef).agent("/waiter", waiter);
    /// # }
    /// ```
    ///
    #[doc = include_str!("../docs/websocket.md")]
    #[cfg(feature = "websocket")]
    pub fn websocket(mut self) -> Self {
        self.settings.has_websocket = true;
        self
    }

    /// Sends the end of each [kept](Self::threads) run to a URL, for clients that do not wait for it; see
    /// [`Webhooks`](crate::http::Webhooks).
    ///
    /// ```
    /// use agui_runtime::Server;
    /// use agui_runtime::http::Webhooks;
    /// use agui_runtime::thread::Memory;
    /// # use agui_runtime::{Agent, webhook::WebhookSecret};
    ///
    /// # fn example(chef: impl Agent, secret: WebhookSecret) {
    /// let webhooks = Webhooks::to("https://example.org/ended", secret);
    /// let server = Server::new().threads(Memory::new()).webhooks(webhooks).agent("/chef", chef);
    /// # }
    /// ```
    ///
    /// # Errors
    /// Serving fails with [`Error::WebhookTarget`], [`Error::WebhooksWithoutThreads`] or [`Error::WebhookClient`].
    #[cfg(feature = "webhooks")]
    pub fn webhooks(mut self, webhooks: Webhooks) -> Self {
        self.settings.webhooks = Some(webhooks);
        self
    }

    /// Sets whether `GET /agui/manifest.json` answers, and if answers carry its hash as `x-agui-manifest`, by which
    /// generated clients notice that they are out of date. By default only in debug builds, because the manifest
    /// reveals the program's types. Clients that send another hash are logged with a warning, each once.
    ///
    /// The hash is only in this header, and in no event of a run: streams are recorded, compared and shown, and would
    /// change with every change of a type.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().expose_manifest(true);
    /// ```
    pub fn expose_manifest(mut self, expose: bool) -> Self {
        self.expose_manifest = expose;
        self
    }

    /// Returns the routes, to be nested into an axum application of your own.
    ///
    /// A `Router` is also a `tower::Service` for requests of crate `http` with any body, so that it serves under hyper and
    /// in stacks of tower: `hyper_util::service::TowerToHyperService::new(router)`. It needs the timers of tokio. Hosts that
    /// have neither call [`runs::start_bytes`](crate::runs::start_bytes).
    ///
    /// If `agui-codegen` runs the program to get its manifest, the program writes it and ends here, as in
    /// [`serve`](Self::serve) and [`serve_on`](Self::serve_on).
    ///
    /// Your application decides when the server ends; runs end with their connections. Only the [`Limits`] of bodies
    /// and runs apply. Origins are checked as in a server that listens on a public address; hosts only if
    /// [`allow_hosts`](Self::allow_hosts) names some.
    ///
    /// ```
    /// use agui_runtime::Server;
    /// use axum::Router;
    /// # use agui_runtime::prelude::*;
    /// # use axum::extract::Request;
    /// # use tower_service::Service;
    /// #
    /// # /// Cooks with you.
    /// # #[agent]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// #     Ok(())
    /// # }
    ///
    /// # fn main() -> Result<(), agui_runtime::Error> {
    /// let agents = Server::new().agent("/chef", Chef::new()).router()?;
    /// let app: Router = Router::new().nest("/agents", agents);
    /// # let mut app = app;
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// #     let request = Request::get("/agents/chef/capabilities").body(axum::body::Body::empty()).unwrap();
    /// #     assert_eq!(app.call(request).await.unwrap().status(), 200);
    /// # });
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// With a [store](Self::threads), the server looks after lost runs and old threads from the first request on; if this is
    /// called on an executor, from now on.
    ///
    /// # Errors
    /// [`Error::DuplicatePath`], [`Error::InvalidPath`], [`Error::ToolArguments`], [`Error::NoSuchAgent`], [`Error::Restart`],
    /// [`Error::RestartOfMade`], [`Error::InvalidOrigin`], [`Error::InvalidHost`] and [`Error::InterruptKey`].
    pub fn router(self) -> Result<Router, Error> {
        let gate = self.check(None)?;
        let threads = self.kept_threads()?;
        if let (Some(threads), Ok(_)) = (&threads, tokio::runtime::Handle::try_current()) {
            threads.keep();
        }
        Ok(self.assemble(gate, None, threads.clone(), &Readiness::new(threads)))
    }

    /// Returns the threads that this server keeps: in its store, or the tasks of A2A clients in memory.
    pub(super) fn kept_threads(&self) -> Result<Option<Arc<Threads>>, Error> {
        let log = self.thread_log.clone();
        #[cfg(feature = "a2a")]
        let log =
            log.or_else(|| (!self.a2a.is_empty()).then(|| Arc::new(a2a::memory()) as Arc<dyn ThreadLog>));
        let Some(log) = log else { return Ok(None) };
        let threads = Threads::new(log, self.thread_options.clone());
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.settings.webhooks {
            threads.send_ends(Outbox::new(webhooks)?);
        }
        Ok(Some(threads))
    }

    pub(super) fn sources(&self) -> Vec<AgentSource> {
        self.agents.iter().map(|mounted| mounted.source.clone()).collect()
    }

    /// Returns the routes of other protocols: methods and paths.
    fn other_routes(&self) -> Vec<(&'static str, String)> {
        let mut routes = Vec::new();
        #[cfg(feature = "mcp")]
        routes.extend(
            self.mcp.iter().flat_map(|mounted| ["POST", "GET"].map(|method| (method, mounted.path.clone()))),
        );
        #[cfg(feature = "a2a")]
        routes.extend(a2a::paths(&self.a2a));
        #[cfg(feature = "websocket")]
        routes.extend(self.settings.has_websocket.then(|| ("GET", websocket::PATH.to_owned())));
        routes
    }

    /// Returns true if an agent has the path.
    fn has_agent(&self, path: &str) -> bool {
        #[cfg(feature = "a2a")]
        if self.a2a.iter().any(|mounted| mounted.path == path) {
            return true;
        }
        self.agents.iter().any(|mounted| mounted.path == path)
    }

    fn paths(&self) -> String {
        let paths: Vec<_> = self.agents.iter().map(|mounted| format!("`{}`", mounted.path)).collect();
        if paths.is_empty() { "no path".to_owned() } else { paths.join(", ") }
    }

    /// Checks everything that can be wrong with a server before it listens.
    pub(super) fn check(&self, listening: Option<SocketAddr>) -> Result<Gate, Error> {
        let (health, is_kept) = (self.health.as_deref(), self.thread_log.is_some());
        routes::check(&self.agents, self.other_routes(), health, is_kept, self.routes.as_ref())?;
        tools::check(self.sources())?;
        #[cfg(feature = "a2a")]
        for mounted in &self.a2a {
            routes::check_restart(&mounted.path, mounted.agent())?;
            tools::check(vec![mounted.source()])?;
        }
        #[cfg(feature = "mcp")]
        tools::check(self.mcp.iter().map(mcp::MountedMcp::source).collect())?;
        if let Some(path) = self.thread_options.stray_path(|path| self.has_agent(path)) {
            return Err(Error::NoSuchAgent { path: path.to_owned() });
        }
        self.settings.proof.check().map_err(Error::InterruptKey)?;
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.settings.webhooks {
            webhooks.check()?;
            if !is_kept {
                return Err(Error::WebhooksWithoutThreads);
            }
        }
        let origins = match &self.origins {
            AllowedOrigins::Any => Origins::Any,
            AllowedOrigins::Named(named) => Origins::named(named)?,
        };
        let hosts = Hosts::new(self.hosts.as_deref(), listening)?;
        Ok(Gate { origins, hosts, body_time: BodyTime::new(self.settings.limits.body_timeout) })
    }

    /// Returns the routes of a server that was checked; `stop` is given for a server of our own.
    pub(super) fn assemble(
        self,
        gate: Gate,
        stop: Option<&StopSignal>,
        threads: Option<Arc<Threads>>,
        readiness: &Arc<Readiness>,
    ) -> Router {
        let sources = self.sources();
        hand_over_if_asked(sources.iter().cloned());
        let paths = self.paths();
        let places = Places::new(&self.settings.limits);
        let sent = Arc::new(Sent::new());
        let kept = threads.clone().filter(|_| self.thread_log.is_some());
        let settings = Settings { stop: stop.cloned(), places, sent, threads: kept, ..self.settings };
        let settings = Arc::new(settings);
        #[cfg(feature = "websocket")]
        let of_sockets = settings.has_websocket.then(|| routes::of_sockets(&self.agents));
        let mut router = routes::agents(self.agents, &settings);
        #[cfg(feature = "a2a")]
        if let Some(threads) = &threads {
            router = a2a::routes(self.a2a, router, threads, &settings);
        }
        #[cfg(feature = "mcp")]
        {
            router = mcp::routes(self.mcp, router, &settings);
        }
        if self.expose_manifest {
            router = manifest::with_hash(manifest::with_route(router, sources.clone()), sources);
        }
        router = routes::with_wrong_method(router);
        let gate = Arc::new(gate);
        let reading = Arc::clone(&gate);
        router = router.layer(middleware::from_fn(move |request, next| {
            gate::pass_reading(Arc::clone(&reading), request, next)
        }));
        if self.routes.is_none() && stop.is_some() {
            // In an application, unknown paths are for the application to answer.
            router = routes::with_not_found(router, paths);
        }
        router = self.layers.into_iter().fold(router, |router, around| around(router));
        #[cfg(feature = "websocket")]
        if let Some(paths) = of_sockets {
            router = websocket::route(router, paths, &gate, &settings.limits, &settings.places);
        }
        if let Some(routes) = self.routes {
            router = router.merge(routes.layer(Extension(settings)));
        }
        let router = router.layer(middleware::from_fn(panicked::answer)).layer(cors::layer(&gate.origins));
        let router = router
            .layer(middleware::from_fn(move |request, next| gate::pass(Arc::clone(&gate), request, next)));
        match self.health {
            Some(path) => health::routes(router, &path, Arc::clone(readiness)),
            None => router,
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("agents", &self.paths())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
