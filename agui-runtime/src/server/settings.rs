//! What a server decides about every run it serves.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;

use super::shutdown::StopSignal;
use crate::{Peer, RunOptions};

/// What bounds a run from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) body: usize,
    pub(super) keep_alive: Option<Duration>,
    pub(super) assumed_peer: Peer,
    pub(super) serial: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 10 * 1024 * 1024,
            keep_alive: Some(Duration::from_secs(15)),
            assumed_peer: Peer::Legacy,
            serial: false,
        }
    }
}

/// The options of a run, from the head of its request.
pub(super) type OptionsOf = Arc<dyn Fn(&Parts) -> RunOptions + Send + Sync>;

/// For the server's own routes, and in the extensions of the requests to the routes that people add.
#[derive(Clone, Default)]
pub(super) struct Settings {
    pub(super) limits: Limits,
    pub(super) options: Option<OptionsOf>,
    pub(super) stop: Option<StopSignal>,
}

impl Settings {
    /// The options of a run, with everything that came with its request: it moves, and nothing is cloned.
    pub(super) fn options(&self, parts: &mut Parts) -> RunOptions {
        let options = self.options.as_ref().map_or_else(RunOptions::default, |options| options(parts));
        options.request(std::mem::take(&mut parts.extensions))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("limits", &self.limits).finish_non_exhaustive()
    }
}
