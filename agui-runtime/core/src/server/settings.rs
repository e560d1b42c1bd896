//! Server settings that apply to every run.

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use http::request::Parts;

use super::lifetime::shutdown::StopSignal;
use super::limits::bounded::RunBounds;
use super::limits::run_slots::{IdentityKeyFn, RunSlots};
use super::limits::server_limits::Limits;
use super::metrics::SentCounters;
use super::request::input_limits::InputLimits;
use super::request::reading::BodyReader;
use super::response::rejection::Rejection;
use super::threads::ServerThreads;
use super::trace::{self, RequestSpan};
#[cfg(feature = "webhooks")]
use super::webhooks::Webhooks;
use crate::agent::RunOptions;
use crate::consent::InterruptProof;
use crate::kernel::{Peer, TokioTimer};

/// Returns a run's options, from the request head.
pub(super) type RunOptionsFn = Arc<dyn Fn(&Parts) -> RunOptions + Send + Sync>;

/// Settings for the server's own routes, which are also in the extensions of requests to the user's routes.
#[derive(Clone)]
pub(super) struct ServerSettings {
    pub(super) limits: Limits,
    pub(super) reading: BodyReader,
    pub(super) keep_alive: Option<Duration>,
    pub(super) assumed_peer: Peer,
    pub(super) serial: bool,
    pub(super) identity: Option<IdentityKeyFn>,
    /// How resume entries are verified, where a run's options do not set it.
    pub(super) proof: InterruptProof,
    /// Without a value, the server's address decides.
    pub(super) reveal_errors: Option<bool>,
    /// The address of a debug build that only this machine can reach.
    pub(super) in_development: Option<SocketAddr>,
    pub(super) record_content: bool,
    pub(super) request_span: Option<RequestSpan>,
    pub(super) options: Option<RunOptionsFn>,
    /// Created from the limits when the server is built.
    pub(super) run_slots: Arc<RunSlots>,
    /// Looked up when the server is built.
    pub(super) sent: Arc<SentCounters>,
    pub(super) stop: Option<StopSignal>,
    /// True if runs may also come over a WebSocket.
    pub(super) has_websocket: bool,
    /// The stored threads.
    pub(super) threads: Option<Arc<ServerThreads>>,
    #[cfg(feature = "webhooks")]
    pub(super) webhooks: Option<Webhooks>,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            run_slots: RunSlots::new(&limits),
            limits,
            reading: BodyReader::new(InputLimits::default()),
            keep_alive: Some(Duration::from_secs(15)),
            assumed_peer: Peer::Legacy,
            serial: false,
            identity: None,
            proof: InterruptProof::default(),
            reveal_errors: None,
            in_development: None,
            record_content: false,
            request_span: None,
            options: None,
            sent: Arc::new(SentCounters::new()),
            stop: None,
            has_websocket: false,
            threads: None,
            #[cfg(feature = "webhooks")]
            webhooks: None,
        }
    }
}

impl ServerSettings {
    /// Returns the settings for handlers without a server: all of them share the same limits.
    pub(super) fn without_server() -> Arc<Self> {
        static SHARED: LazyLock<Arc<ServerSettings>> = LazyLock::new(Arc::default);
        Arc::clone(&SHARED)
    }

    /// Returns the key of a request's client, if known.
    pub(super) fn identity(&self, parts: &Parts) -> Option<String> {
        self.identity.as_ref().and_then(|key| key(&parts.extensions))
    }

    /// Returns true if clients see errors as the log does, where a run's options do not decide.
    pub(super) fn reveals_errors(&self) -> bool {
        self.reveal_errors == Some(true)
    }

    /// Returns the options that complete a run's own, with all values that came with its request. The values are moved, not
    /// cloned.
    pub(super) fn server_options(&self, parts: &mut Parts, identity: Option<&str>) -> RunOptions {
        let options = RunOptions::default()
            .proof(self.proof.clone())
            .reveal_errors(self.reveals_errors())
            .record_content(self.record_content)
            .timer(TokioTimer);
        let options = match identity {
            Some(identity) => options.subject(identity),
            None => options,
        };
        let options = match trace::trace_context(parts) {
            Some(trace) => options.trace(trace),
            None => options,
        };
        options.request(std::mem::take(&mut parts.extensions))
    }

    /// Returns a run's bounds.
    pub(super) fn run_bounds(&self) -> RunBounds {
        RunBounds { timeout: self.limits.run_timeout, stopped: self.stop.as_ref().map(StopSignal::stopped) }
    }

    /// Returns the URL that receives the run's end.
    pub(super) fn webhook(&self, parts: &Parts) -> Result<Option<String>, Rejection> {
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.webhooks {
            return webhooks.target(parts);
        }
        let _ = parts;
        Ok(None)
    }

    /// Returns the options that the server's function chooses for a run.
    pub(super) fn run_options(&self, parts: &Parts) -> RunOptions {
        self.options.as_ref().map_or_else(RunOptions::default, |options| options(parts))
    }
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("limits", &self.limits).finish_non_exhaustive()
    }
}
