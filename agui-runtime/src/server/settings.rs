//! The settings of a server that hold for every run.

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use http::request::Parts;

use super::input_limits::InputLimits;
use super::limits::Limits;
use super::places::{IdentityKey, Places};
use super::reading::Reading;
use super::shutdown::StopSignal;
use crate::agent::Proof;
use crate::{Peer, RunOptions};

/// The options of a run, from the head of its request.
pub(super) type OptionsOf = Arc<dyn Fn(&Parts) -> RunOptions + Send + Sync>;

/// For the server's own routes, and in the extensions of the requests to the routes that people add.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) limits: Limits,
    pub(super) reading: Reading,
    pub(super) keep_alive: Option<Duration>,
    pub(super) assumed_peer: Peer,
    pub(super) serial: bool,
    pub(super) identity: Option<IdentityKey>,
    /// How answers to interrupts are known, where the options of a run do not say it.
    pub(super) proof: Proof,
    pub(super) reveal_errors: bool,
    pub(super) options: Option<OptionsOf>,
    /// Made of the limits when the server is built.
    pub(super) places: Arc<Places>,
    pub(super) stop: Option<StopSignal>,
}

impl Default for Settings {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            places: Places::new(&limits),
            limits,
            reading: Reading::new(InputLimits::default()),
            keep_alive: Some(Duration::from_secs(15)),
            assumed_peer: Peer::Legacy,
            serial: false,
            identity: None,
            proof: Proof::default(),
            reveal_errors: false,
            options: None,
            stop: None,
        }
    }
}

impl Settings {
    /// Those of handlers that no server serves: all of them share the limits of one.
    pub(super) fn of_no_server() -> Arc<Self> {
        static SHARED: LazyLock<Arc<Settings>> = LazyLock::new(Arc::default);
        Arc::clone(&SHARED)
    }

    /// The key by which the client of a request is counted, if it has one.
    pub(super) fn identity(&self, parts: &Parts) -> Option<String> {
        self.identity.as_ref().and_then(|key| key(&parts.extensions))
    }

    /// The options of a run, with everything that came with its request: it moves, and nothing is cloned.
    pub(super) fn options(&self, parts: &mut Parts) -> RunOptions {
        let options = self.options.as_ref().map_or_else(RunOptions::default, |options| options(parts));
        let options = if self.reveal_errors { options.reveal_errors(true) } else { options };
        options.proof_or(&self.proof).request(std::mem::take(&mut parts.extensions))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("limits", &self.limits).finish_non_exhaustive()
    }
}
