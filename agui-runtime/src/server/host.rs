use std::fmt;
use std::time::Duration;

use axum::Router;

use super::cors::{self, Origins};
use super::input_limits::InputLimits;
use super::mount::Mounted;
use super::shutdown::StopSignal;
use super::{manifest, routes};
use crate::manifest::AgentSource;
use crate::{Error, Peer};

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
/// ```no_run
/// # use agui_runtime::Agent;
/// use agui_runtime::Server;
/// # async fn example(chef: impl Agent, waiter: impl Agent) -> Result<(), agui_runtime::Error> {
/// Server::new().agent("/chef", chef).agent("/waiter", waiter).serve().await
/// # }
/// ```
#[must_use = "a server does nothing until it serves"]
pub struct Server {
    pub(super) agents: Vec<Mounted>,
    pub(super) routes: Option<Router>,
    origins: Option<AllowedOrigins>,
    limits: Limits,
    input_limits: InputLimits,
    pub(super) grace: Duration,
    expose_manifest: bool,
}

/// As the user wrote them: they are read when the server is built.
enum AllowedOrigins {
    Any,
    Only(Vec<String>),
}

/// What bounds a run from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) body: usize,
    pub(super) keep_alive: Option<Duration>,
    pub(super) assumed_peer: Peer,
    pub(super) serial: bool,
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl Server {
    /// A server without agents, for pages of any origin, with the limits each method names.
    pub fn new() -> Self {
        Self {
            agents: Vec::new(),
            routes: None,
            origins: Some(AllowedOrigins::Any),
            limits: Limits {
                body: 10 * 1024 * 1024,
                keep_alive: Some(Duration::from_secs(15)),
                assumed_peer: Peer::Legacy,
                serial: false,
            },
            input_limits: InputLimits::default(),
            grace: Duration::from_secs(5),
            expose_manifest: cfg!(debug_assertions),
        }
    }

    /// Lets pages of these origins read the answers, and no others; by default every page may.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().allow_origins(["https://app.example", "http://localhost:5173"]);
    /// ```
    pub fn allow_origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.origins = Some(AllowedOrigins::Only(origins.into_iter().map(Into::into).collect()));
        self
    }

    /// Says nothing about origins: only pages from this server may read the answers, or whom a layer of your own lets in.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().without_cors();
    /// ```
    pub fn without_cors(mut self) -> Self {
        self.origins = None;
        self
    }

    /// The longest body that is read, in bytes; 10 MiB by default, because images travel inside the input.
    ///
    /// ```
    /// let server = agui_runtime::Server::new().body_limit(256 * 1024);
    /// ```
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.limits.body = bytes;
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
        self.input_limits = limits;
        self
    }

    /// How long a stream may be quiet before a comment is sent, so that nobody on the way hangs up; 15 s by default.
    /// `None` sends no comments.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let often = agui_runtime::Server::new().keep_alive(Duration::from_secs(5));
    /// let never = agui_runtime::Server::new().keep_alive(None);
    /// ```
    pub fn keep_alive(mut self, every: impl Into<Option<Duration>>) -> Self {
        self.limits.keep_alive = every.into().filter(|every| !every.is_zero());
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
        self.limits.assumed_peer = peer;
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
        self.limits.serial = serial;
        self
    }

    /// How long runs may go on after the server was asked to end; 5 s by default. Then they are dropped, and their
    /// connections are cut.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let server = agui_runtime::Server::new().shutdown_grace(Duration::from_secs(30));
    /// ```
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
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
    /// Where the server ends is then your application's business; runs end with their connections.
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
    /// [`Error::DuplicatePath`], [`Error::InvalidPath`] and [`Error::InvalidOrigin`].
    pub fn router(self) -> Result<Router, Error> {
        let origins = self.check()?;
        Ok(self.assemble(origins, None))
    }

    pub(super) fn sources(&self) -> Vec<AgentSource> {
        self.agents.iter().map(|mounted| mounted.agent.source()).collect()
    }

    fn paths(&self) -> String {
        let paths: Vec<_> = self.agents.iter().map(|mounted| format!("`{}`", mounted.path)).collect();
        if paths.is_empty() { "no path".to_owned() } else { paths.join(", ") }
    }

    /// Everything that can be wrong with a server before it listens.
    pub(super) fn check(&self) -> Result<Option<Origins>, Error> {
        routes::check(&self.agents)?;
        match &self.origins {
            Some(AllowedOrigins::Any) => Ok(Some(Origins::Any)),
            Some(AllowedOrigins::Only(origins)) => Origins::only(origins).map(Some),
            None => Ok(None),
        }
    }

    /// The routes of a server that was checked; with `stop`, for a server that is ours alone.
    pub(super) fn assemble(self, origins: Option<Origins>, stop: Option<&StopSignal>) -> Router {
        let sources = self.sources();
        manifest::hand_over_if_asked(sources.iter().cloned());
        let paths = self.paths();
        let mut router = routes::agents(self.agents, self.limits, self.input_limits, stop);
        if self.expose_manifest {
            router = manifest::with_hash(manifest::with_route(router, sources.clone()), sources);
        }
        router = routes::with_wrong_method(router);
        if let Some(routes) = self.routes {
            router = router.merge(routes);
        } else if stop.is_some() {
            // Elsewhere what is not found is for the application to say.
            router = routes::with_not_found(router, paths);
        }
        match origins {
            Some(origins) => router.layer(cors::layer(origins)),
            None => router,
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("agents", &self.paths())
            .field("limits", &self.limits)
            .field("input_limits", &self.input_limits)
            .finish_non_exhaustive()
    }
}
