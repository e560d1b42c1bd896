//! A server, and its process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use axum::Router;

use super::link::{Health, Link, Process};
use super::store::Store;
use crate::kept::{Gated, Ledger, Scribe};

/// A server.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) router: Router,
    pub(super) health: Arc<Health>,
    running: Arc<AtomicUsize>,
}

impl Node {
    /// Starts a server with nothing in its memory.
    pub(super) fn start(store: &Arc<Store>, ledger: &Arc<Ledger>, options: ThreadOptions) -> Self {
        let health = Arc::new(Health::new());
        let is_ahead = store.faults.clocks && store.random.one_in(2);
        let ahead = Duration::from_millis(if is_ahead { store.random.below(1_500) } else { 0 });
        let link = Link { store: Arc::clone(store), health: Arc::clone(&health), ahead };
        let scribe = Scribe::new(Arc::clone(ledger), Arc::clone(&health) as _);
        let running = Arc::clone(&scribe.running);
        let log = Gated::new(Arc::new(store.log.clone()), Arc::new(link));
        let server = Server::new().threads(log).thread_options(options).agent("/", scribe);
        Self { router: server.router().unwrap(), health, running }
    }

    /// Ends the process: nothing of it acts any more.
    pub(super) fn kill(&self) {
        self.health.set(Process::Dead);
    }

    /// Returns the number of runs that the server runs.
    pub(super) fn running(&self) -> usize {
        if self.health.is(Process::Runs) { self.running.load(Ordering::SeqCst) } else { 0 }
    }
}
