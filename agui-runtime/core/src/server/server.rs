//! `Server`: agents, their paths and the settings for both.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;

#[cfg(feature = "a2a")]
use super::a2a;
use super::copilotkit::MountedCopilotKit;
use super::lifetime::health::ServerReadiness;
use super::limits::server_limits::Limits;
#[cfg(feature = "tool-servers")]
use super::mcp;
use super::mount::{MountedAgent, RouterLayer};
use super::request::input_limits::InputLimits;
use super::request::reading::BodyReader;
use super::settings::ServerSettings;
use super::threads::ThreadOptions;
#[cfg(feature = "webhooks")]
use super::webhooks::Webhooks;
use crate::kernel::Peer;
use crate::server::Error;
use crate::thread::ThreadLog;

/// Agents on one HTTP server: each at its path, with its capabilities below.
///
/// | request | response |
/// |---|---|
/// | `POST path` | a run, as server-sent events, or as protobuf for a client whose `Accept` names [that type](crate::wire::proto::CONTENT_TYPE) (AG-UI 1.0, section "Transports") |
/// | `GET path/capabilities` | the agent's [`AgentCapabilities`](crate::protocol::AgentCapabilities) |
/// | `POST path` of a `snake_case_agent` (feature `dialect`) | a run, for clients with that dialect |
/// | `POST path` of an `a2a` (feature `a2a`), and paths below | an agent's tasks, for A2A clients; its card |
/// | `GET path/info`, `POST path` and more of a [`copilotkit`](Self::copilotkit) | all agents, for CopilotKit's pages |
/// | `POST path` of an `mcp` (feature `mcp`) | an agent's tools, for MCP clients |
/// | `GET /agui/ws` with [`websocket`](Self::websocket) (feature `websocket`) | a WebSocket for many runs |
/// | `GET /agui/manifest.json` | the manifest for `agui-codegen`; in development |
/// | `GET /` | a page for people that lists the agents, with commands that talk to them; in debug builds on a loopback address, unless [`routes`](Self::routes) serve that path |
/// | `GET path/live`, `GET path/ready` with [`health`](Self::health) | for load balancers |
///
/// Malformed requests get a 4xx status and a JSON body, `{"error": {"code", "message", "path"}}`, before any run starts. A client
/// that leaves ends its run: the agent's function call is dropped at its next `.await`. If added code such as a layer panics, the
/// response is status 500 with code `internal`, and the log has the panic message.
///
/// Pages from other origins are refused, see [`allow_origins`](Self::allow_origins); so are requests beyond the [`Limits`].
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
    pub(super) agents: Vec<MountedAgent>,
    #[cfg(feature = "a2a")]
    pub(super) a2a: Vec<a2a::MountedA2a>,
    #[cfg(feature = "tool-servers")]
    pub(super) mcp: Vec<mcp::MountedMcp>,
    pub(super) copilotkit: Vec<MountedCopilotKit>,
    pub(super) routes: Option<Router>,
    pub(super) layers: Vec<RouterLayer>,
    pub(super) settings: ServerSettings,
    pub(super) thread_log: Option<Arc<dyn ThreadLog>>,
    pub(super) thread_options: ThreadOptions,
    pub(super) origins: AllowedOrigins,
    pub(super) hosts: Option<Vec<String>>,
    pub(super) expose_manifest: bool,
    pub(super) health: Option<String>,
}

/// As the user wrote the origins: they are parsed when the server is built.
pub(super) enum AllowedOrigins {
    Any,
    Named(Vec<String>),
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl Server {
    /// Returns a server without agents, for pages from its own origin and from this machine, with the default [`Limits`].
    pub fn new() -> Self {
        Self {
            agents: Vec::new(),
            #[cfg(feature = "a2a")]
            a2a: Vec::new(),
            #[cfg(feature = "tool-servers")]
            mcp: Vec::new(),
            copilotkit: Vec::new(),
            routes: None,
            layers: Vec::new(),
            settings: ServerSettings::default(),
            thread_log: None,
            thread_options: ThreadOptions::default(),
            origins: AllowedOrigins::Named(Vec::new()),
            hosts: None,
            expose_manifest: cfg!(debug_assertions),
            health: None,
        }
    }

    /// Sets the server's concurrency and timeouts; see [`Limits`], also for the defaults.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Identifies clients for [`Limits::runs_per_identity`], by a type that a layer put into the request's extensions: the
    /// function returns the client's key. A request without such a value counts for no identity.
    ///
    /// A run's interrupts are signed for the client's identity, so that no other client can resume them; see
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

    /// Sets the limits for an input's JSON: number of values, messages and tools, depth, length; see [`InputLimits`] for the
    /// defaults and the responses.
    pub fn input_limits(mut self, limits: InputLimits) -> Self {
        self.settings.reading = BodyReader::new(limits);
        self
    }

    /// Sets the time that a stream may be quiet before a heartbeat is sent, so that no proxy takes the stream for dead; 15 s by
    /// default. `None` sends none.
    ///
    /// Over server-sent events a heartbeat is a comment. Over the binary transport a heartbeat is one byte of a frame that the
    /// client drops when the frame is complete; the official 1.0 client then logs a warning. A legacy client knows no such frame,
    /// and gets one byte in each quiet time.
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

    /// Sets the generation for clients that send inputs without `protocolVersion`: [`Peer::Legacy`] by default. Clients that follow a
    /// stored thread without that parameter are of this generation too, but current by default.
    ///
    /// Set `Peer::Speaks(ProtocolVersion::V1_0)` only if every client is known to speak 1.0 without declaring the version: legacy
    /// clients end the whole run on material that they do not know.
    pub fn assume_peer(mut self, peer: Peer) -> Self {
        self.settings.assumed_peer = peer;
        self
    }

    /// Sets whether [`Peer::Legacy`] clients get one message or call at a time, as [`SerialStream`](crate::events::SerialStream) sends them;
    /// by default they are interleaved.
    ///
    /// Set true if some clients are as old as version 0.0.36 of the official client, which ends the whole run when two spans are
    /// open at once. 1.0 clients are not affected.
    pub fn serial(mut self, serial: bool) -> Self {
        self.settings.serial = serial;
        self
    }

    /// Sets whether clients see errors as the log does: [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors) for every
    /// run whose own options do not set it. By default on in debug builds that listen on a loopback address, which only programs
    /// on the same machine reach; off in release builds, on other addresses, and for a [`router`](Self::router), whose address is
    /// unknown. If a proxy passes other machines' requests to a debug build, set false.
    pub fn reveal_errors(mut self, reveal: bool) -> Self {
        self.settings.reveal_errors = Some(reveal);
        self
    }

    /// Sets whether [spans](crate::telemetry) have the content of messages:
    /// [`RunOptions::record_content`](crate::RunOptions::record_content) for every run whose own options do not set it. Off by
    /// default, in every build.
    pub fn record_content(mut self, record: bool) -> Self {
        self.settings.record_content = record;
        self
    }

    /// Lets a client hold one WebSocket at `/agui/ws`, on which it starts many runs: for pages with several agents, for networks
    /// that open connections slowly, and for clients that read some runs slower than others.
    ///
    /// Each run on the socket is a request: the run passes the [layers](Self::layer), counts for the [`Limits`], and is refused as
    /// over HTTP. The handshake passes the [origin](Self::allow_origins) and [host](Self::allow_hosts) checks.
    ///
    #[doc = include_str!("../docs/websocket.md")]
    #[cfg(feature = "websocket")]
    pub fn websocket(mut self) -> Self {
        self.settings.has_websocket = true;
        self
    }

    /// Sends the end of each [stored](Self::threads) run to a URL, for clients that do not wait for the end; see
    /// [`Webhooks`](crate::http::Webhooks).
    ///
    /// # Errors
    /// Serving fails with [`Error::WebhookTarget`], [`Error::WebhooksWithoutThreads`] or [`Error::WebhookClient`].
    #[cfg(feature = "webhooks")]
    pub fn webhooks(mut self, webhooks: Webhooks) -> Self {
        self.settings.webhooks = Some(webhooks);
        self
    }

    /// Sets whether `GET /agui/manifest.json` is served, and whether responses carry the manifest's hash as `x-agui-manifest`, by
    /// which generated clients notice that they are outdated. By default only in debug builds, because the manifest reveals the
    /// program's types. Each outdated client is logged once with a warning.
    ///
    /// The hash is only in this header, and in no event: streams are recorded, compared and shown, and would change with every
    /// changed type.
    pub fn expose_manifest(mut self, expose: bool) -> Self {
        self.expose_manifest = expose;
        self
    }

    /// Returns the routes, to be nested into an axum application of your own.
    ///
    /// A `Router` is also a `tower::Service` for `http` requests with any body, and so runs under hyper and in tower stacks:
    /// `hyper_util::service::TowerToHyperService::new(router)`. The router needs tokio's timers. Hosts that have neither call
    /// [`runs::start_bytes`](crate::runs::start_bytes).
    ///
    /// If `agui-codegen` runs the program for its manifest, the program writes the manifest and ends here, as in
    /// [`serve`](Self::serve) and [`serve_on`](Self::serve_on).
    ///
    /// Your application decides when the server ends; runs end with their connections. Only the body and run [`Limits`] apply.
    /// Origins are checked as in a server that listens on a public address; hosts only if [`allow_hosts`](Self::allow_hosts) names
    /// some.
    ///
    /// With a [store](Self::threads), the server maintains lost runs and expired threads from the first request on; on an
    /// executor, from this call on.
    ///
    /// # Errors
    /// [`Error::DuplicatePath`], [`Error::InvalidPath`], [`Error::ToolArguments`], [`Error::NoSuchAgent`], [`Error::Restart`],
    /// [`Error::RestartOfMade`], [`Error::InvalidOrigin`], [`Error::InvalidHost`] and [`Error::InterruptKey`].
    pub fn router(self) -> Result<Router, Error> {
        let gate = self.check(None)?;
        let threads = self.stored_threads()?;
        if let (Some(threads), Ok(_)) = (&threads, tokio::runtime::Handle::try_current()) {
            threads.maintain();
        }
        Ok(self.assemble(gate, None, threads.as_ref(), &ServerReadiness::new(threads.clone())))
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
