use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::middleware;
use axum::{Extension, Router};

use super::body_time::BodyTime;
use super::cors::{self, Origins};
use super::gate::{self, Gate, Hosts};
use super::input_limits::InputLimits;
use super::limits::Limits;
use super::mount::{Around, Mounted};
use super::places::Places;
use super::reading::Reading;
use super::settings::Settings;
use super::shutdown::StopSignal;
use super::{manifest, routes};
use crate::agent::Proof;
use crate::manifest::AgentSource;
use crate::{Error, InterruptKey, Peer};

/// Agents on one HTTP server: each at its path, with what it declares beside it.
///
/// | request | answer |
/// |---|---|
/// | `POST path` | a run, as server-sent events, or as protobuf for a client whose `Accept` names [that type](crate::wire::proto::CONTENT_TYPE) (AG-UI 1.0, section "Transports") |
/// | `GET path/capabilities` | the agent's [`AgentCapabilities`](crate::protocol::AgentCapabilities) |
/// | `POST path` of a [`snake_case_agent`](Self::snake_case_agent) | a run, for clients of that dialect |
/// | `GET /agui/manifest.json` | what `agui-codegen` reads; in development |
///
/// Requests that are malformed get a 4xx status and a JSON body, `{"error": {"code", "message", "path"}}`, before any
/// run starts. A client that leaves ends its run: the agent's function call is dropped at its next `.await`.
///
/// Pages of other origins are refused, see [`allow_origins`](Self::allow_origins); so is what passes the [`Limits`].
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
    pub(super) routes: Option<Router>,
    pub(super) layers: Vec<Around>,
    pub(super) settings: Settings,
    origins: AllowedOrigins,
    hosts: Option<Vec<String>>,
    expose_manifest: bool,
}

/// As the user wrote them: they are read when the server is built.
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
    /// A server without agents, for pages of its own origin and of this machine, with the default [`Limits`].
    ///
    /// ```
    /// let server = agui_runtime::Server::new();
    /// ```
    pub fn new() -> Self {
        Self {
            agents: Vec::new(),
            routes: None,
            layers: Vec::new(),
            settings: Settings::default(),
            origins: AllowedOrigins::Named(Vec::new()),
            hosts: None,
            expose_manifest: cfg!(debug_assertions),
        }
    }

    /// Lets pages of these origins talk to the server too, with their cookies. Called again, it adds to what is there.
    ///
    /// By default only pages from the server itself (`Origin` and `Host` of a request name the same authority) and from this
    /// machine (`http` or `https` at `localhost`, `127.0.0.0/8` or `[::1]`, any port) may. A request with another `Origin`, a
    /// preflight included, gets status 403 and code `origin_not_allowed` before anything runs; `Origin: null` does, too.
    /// Clients that send no `Origin` are not affected: servers, command lines, apps.
    ///
    /// Behind a proxy that changes `Host`, name the origin of your own pages here. Routes of [your own](Self::routes) are checked, too.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().allow_origins(["https://app.example", "http://192.168.0.9:5173"]);
    /// ```
    pub fn allow_origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        if let AllowedOrigins::Named(named) = &mut self.origins {
            named.extend(origins.into_iter().map(Into::into));
        }
        self
    }

    /// Lets every page of the web talk to the server, without cookies.
    ///
    /// Say so where every person on the web may run the agents: a public demo, or a server whose requests carry a token that the
    /// page has to know. A server on your own machine that is open this way runs for every page that you visit.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().allow_any_origin();
    /// ```
    pub fn allow_any_origin(mut self) -> Self {
        self.origins = AllowedOrigins::Any;
        self
    }

    /// The hosts by which requests may call the server (`Host`, or `:authority`), besides loopback names. Called again, it adds to
    /// what is there.
    ///
    /// By default a server that listens on a loopback address answers to loopback names alone, for a page of an attacker can let the
    /// name of its own host point to this machine (DNS rebinding). A server on another address answers to any host, and so does a
    /// [`router`](Self::router), whose address is not known; with this method both are limited to the named ones. Name them where a
    /// server in a private network knows its clients by their address alone. A request for another host gets status 403 and code
    /// `host_not_allowed`.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().allow_hosts(["agent.internal"]);
    /// ```
    pub fn allow_hosts<H: Into<String>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.hosts.get_or_insert_default().extend(hosts.into_iter().map(Into::into));
        self
    }

    /// How much the server does at once, and how long it waits; see [`Limits`], also for the defaults.
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

    /// Tells clients apart for [`Limits::runs_per_identity`], by a type that a layer put into the request's extensions: the function
    /// gives the key by which its client is counted. A request without such a value counts for no identity.
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

    /// What the JSON of an input may be at the most: how many values, messages and tools, how deep, how long; see [`InputLimits`] for
    /// the defaults and the answers.
    ///
    /// ```
    /// use agui_runtime::{InputLimits, Server};
    ///
    /// let server = Server::new().input_limits(InputLimits::default().messages(2_000));
    /// ```
    pub fn input_limits(mut self, limits: InputLimits) -> Self {
        self.settings.reading = Reading::new(limits);
        self
    }

    /// How long a stream may be quiet before a heartbeat is sent, so that no proxy takes it for dead; 15 s by default. `None` sends
    /// none.
    ///
    /// Over server-sent events a heartbeat is a comment. Over the binary transport it is one byte of a frame that the client drops
    /// when it is complete; the official client of 1.0 then logs a warning. A client before 1.0 knows no such frame, and gets one byte
    /// in each quiet time.
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

    /// Which generation of clients sends inputs without `protocolVersion`: [`Peer::Legacy`] by default.
    ///
    /// Say [`Peer::Current`] only where every client is known to speak 1.0 and not to say so: older ones end the whole
    /// run on material they do not know.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().assume_peer(agui_runtime::Peer::Current);
    /// ```
    pub fn assume_peer(mut self, peer: Peer) -> Self {
        self.settings.assumed_peer = peer;
        self
    }

    /// Whether clients of the [`Peer::Legacy`] generation get one message or call after the other, as [`Serial`](crate::Serial) does it;
    /// by default they get them interleaved.
    ///
    /// Say yes where some of them are as old as version 0.0.36 of the official client: those end the whole run when two
    /// items are open at once. Clients of 1.0 are not affected.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().serial(true);
    /// ```
    pub fn serial(mut self, serial: bool) -> Self {
        self.settings.serial = serial;
        self
    }

    /// Whether clients see what the log sees of errors: [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors) for every
    /// run. Off by default, in debug builds too: a server that is reached from outside must not depend on how it was built.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().reveal_errors(cfg!(debug_assertions));
    /// ```
    pub fn reveal_errors(mut self, reveal: bool) -> Self {
        self.settings.reveal_errors = reveal;
        self
    }

    /// Signs the questions of interrupted runs with this key, so that only they can be answered; by default with the secret in the
    /// environment variable `AGUI_SECRET`, or if that is not set, with one drawn at random: then no answer counts after a restart, or
    /// on another machine. See [`InterruptKey`].
    ///
    /// ```
    /// use agui_runtime::{InterruptKey, Server};
    ///
    /// let server = Server::new().interrupt_key(InterruptKey::new([7; 32])?);
    /// # Ok::<(), agui_runtime::InterruptKeyError>(())
    /// ```
    pub fn interrupt_key(mut self, key: InterruptKey) -> Self {
        self.settings.proof = Proof::Key(key);
        self
    }

    /// Whether interrupts go out under the ids that agents give them, and every answer counts: **then a client can approve what was
    /// never asked, with arguments of its own** (see [What you may trust](crate#what-you-may-trust)). For clients that expect fixed
    /// ids. Off by default.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().unsigned_interrupts(true); // for a conformance test
    /// ```
    pub fn unsigned_interrupts(mut self, unsigned: bool) -> Self {
        self.settings.proof = self.settings.proof.unsigned(unsigned);
        self
    }

    /// Whether `GET /agui/manifest.json` answers, and answers carry its hash as `x-agui-manifest`, by which generated
    /// clients notice that they are out of date; by default in debug builds only, since it tells what the program is
    /// made of. Clients that send another are pointed out with a warning, each once.
    ///
    /// The hash is in this header alone, and in no event of a run: streams are recorded, compared and shown, and would
    /// change with every change of a type.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().expose_manifest(true);
    /// ```
    pub fn expose_manifest(mut self, expose: bool) -> Self {
        self.expose_manifest = expose;
        self
    }

    /// The routes, to be nested into an axum application of your own.
    ///
    /// When `agui-codegen` runs the program to ask what it is made of, the program says so and ends here, as it does in
    /// [`serve`](Self::serve) and [`serve_on`](Self::serve_on).
    ///
    /// Where the server ends is then your application's business; runs end with their connections. Of the [`Limits`], those of bodies
    /// and runs hold. Origins are checked as in a server of its own; hosts only where [`allow_hosts`](Self::allow_hosts) names some.
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use agui_runtime::Server;
    /// use axum::Router;
    ///
    /// # fn example(chef: impl Agent) -> Result<(), agui_runtime::Error> {
    /// let agents = Server::new().agent("/chef", chef).router()?;
    /// let app: Router = Router::new().nest("/agents", agents);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicatePath`], [`Error::InvalidPath`], [`Error::InvalidOrigin`], [`Error::InvalidHost`] and
    /// [`Error::InterruptKey`].
    pub fn router(self) -> Result<Router, Error> {
        let gate = self.check(None)?;
        Ok(self.assemble(gate, None))
    }

    pub(super) fn sources(&self) -> Vec<AgentSource> {
        self.agents.iter().map(|mounted| mounted.source.clone()).collect()
    }

    fn paths(&self) -> String {
        let paths: Vec<_> = self.agents.iter().map(|mounted| format!("`{}`", mounted.path)).collect();
        if paths.is_empty() { "no path".to_owned() } else { paths.join(", ") }
    }

    /// Everything that can be wrong with a server before it listens.
    pub(super) fn check(&self, listening: Option<SocketAddr>) -> Result<Gate, Error> {
        routes::check(&self.agents)?;
        self.settings.proof.check().map_err(Error::InterruptKey)?;
        let origins = match &self.origins {
            AllowedOrigins::Any => Origins::Any,
            AllowedOrigins::Named(named) => Origins::named(named)?,
        };
        let hosts = Hosts::new(self.hosts.as_deref(), listening)?;
        Ok(Gate { origins, hosts, body_time: BodyTime::new(self.settings.limits.body_timeout) })
    }

    /// The routes of a server that was checked; with `stop`, for a server that is ours alone.
    pub(super) fn assemble(self, gate: Gate, stop: Option<&StopSignal>) -> Router {
        let sources = self.sources();
        manifest::hand_over_if_asked(sources.iter().cloned());
        let paths = self.paths();
        let places = Places::new(&self.settings.limits);
        let settings = Arc::new(Settings { stop: stop.cloned(), places, ..self.settings });
        let mut router = routes::agents(self.agents, &settings);
        if self.expose_manifest {
            router = manifest::with_hash(manifest::with_route(router, sources.clone()), sources);
        }
        router = routes::with_wrong_method(router);
        if self.routes.is_none() && stop.is_some() {
            // Elsewhere what is not found is for the application to say.
            router = routes::with_not_found(router, paths);
        }
        router = self.layers.into_iter().fold(router, |router, around| around(router));
        if let Some(routes) = self.routes {
            router = router.merge(routes.layer(Extension(settings)));
        }
        let router = router.layer(cors::layer(&gate.origins));
        let gate = Arc::new(gate);
        router.layer(middleware::from_fn(move |request, next| gate::pass(Arc::clone(&gate), request, next)))
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
