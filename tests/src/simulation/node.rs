//! A server, and its process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::ThreadKey;
use axum::Router;

use super::link::{Health, Link, Process};
use super::store::Store;
use crate::stored::{ENDS, GOES_ON, Gated, Ledger, Scribe};

/// A thread of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The path of the agent.
    pub(super) agent: &'static str,
    pub(super) thread: &'static str,
}

impl Place {
    pub(super) const ALL: [Self; 3] = [
        Self { agent: ENDS, thread: "a" },
        Self { agent: ENDS, thread: "b" },
        Self { agent: GOES_ON, thread: "a" },
    ];

    pub(super) fn key(self) -> ThreadKey {
        ThreadKey::new("", self.agent, self.thread)
    }

    /// Returns a path below that of the agent.
    pub(super) fn path(self, below: &str) -> String {
        format!("{}{below}", self.agent.trim_end_matches('/'))
    }
}

/// A server.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) router: Router,
    pub(super) health: Arc<Health>,
    running: [Arc<AtomicUsize>; 2],
}

impl Node {
    /// Starts a server with nothing in its memory.
    pub(super) fn start(store: &Arc<Store>, ledger: &Arc<Ledger>, options: ThreadOptions) -> Self {
        let health = Arc::new(Health::new());
        let is_ahead = store.faults.clocks && store.random.one_in(2);
        let ahead = Duration::from_millis(if is_ahead { store.random.below(1_500) } else { 0 });
        let link = Link { store: Arc::clone(store), health: Arc::clone(&health), ahead };
        let ends = Scribe::<false>::new(Arc::clone(ledger), Arc::clone(&health) as _);
        let goes_on = Scribe::<true>::new(Arc::clone(ledger), Arc::clone(&health) as _);
        let running = [Arc::clone(&ends.running), Arc::clone(&goes_on.running)];
        let log = Gated::new(Arc::clone(&store.log), Arc::new(link));
        let server = Server::new().threads(log).thread_options(options);
        let server = server.agent(ENDS, ends).agent(GOES_ON, goes_on);
        Self { router: server.router().unwrap(), health, running }
    }

    /// Ends the process: nothing of it acts any more.
    pub(super) fn kill(&self) {
        self.health.set(Process::Dead);
    }

    /// Returns the number of runs that the server runs.
    pub(super) fn running(&self) -> usize {
        let running = self.running.iter().map(|running| running.load(Ordering::SeqCst));
        if self.health.is(Process::Runs) { running.sum() } else { 0 }
    }
}
