//! Runs that are stored, and go on without their clients.
//!
//! ```text
//! POST path ─▶ start: fold the thread ─▶ fill the input ─▶ claim ─▶ pump: agent ─▶ appends     (a task of its own)
//!                └────────── attach ──────────────────────────────┐                   │
//! POST path/connect, GET events ─▶ join: cursor, prelude ─▶ reader ◀── the log ◀──────┘
//! ```
//!
//! | module | content |
//! |---|---|
//! | `routes` `options` `refusal` | paths, policies, refusals |
//! | `start` `queue` `reused` | a request for a run: attach, wait, or claim; runs that wait; resume entries under the asking run's id |
//! | `pump` `backoff` | the task that runs the agent and appends its events; pauses between attempts |
//! | `store` `secret` | the log, with this server's own runs; the signing secret that all servers share |
//! | `conversation` | records, ownership, inputs and lost runs of a thread |
//! | `readers` | clients that read threads |
//! | `manage` `maintenance` `restart` | stop, list, delete; lost runs and old threads; runs that go on here |
//! | `a2a` | the runs of a thread as A2A tasks |

#[cfg(feature = "a2a")]
mod a2a;
mod backoff;
pub(crate) mod conversation;
mod maintenance;
mod manage;
mod options;
mod pump;
mod queue;
pub(crate) mod readers;
mod refusal;
mod restart;
mod reused;
mod routes;
mod secret;
mod start;
mod store;

#[cfg(feature = "a2a")]
pub(super) use a2a::{paths as a2a_paths, routes as a2a_routes};
pub use options::{BusyThread, ClientLeaves, ThreadOptions};
pub(super) use routes::{connect_path, paths, routes};
pub(super) use start::start;
pub(super) use store::Threads;

use std::sync::Arc;

use super::Server;
use crate::thread::ThreadLog;

impl Server {
    /// Stores the conversations of the agents: a run goes on when its client leaves, a page that reloads
    /// gets the conversation, the state and the open question, and every server of the store can resume every stream.
    /// Nothing changes in the agents.
    ///
    /// A thread belongs to the [identity](Self::identity) that began it, and to the agent at its path: for all others
    /// it does not exist. Without identities, every client that knows the id of a
    /// thread can read it.
    ///
    /// The questions of interrupted runs are signed with a secret of the store, unless there is
    /// [another](crate::InterruptKey). Handlers of [your own](Self::routes) and agents of other dialects are not stored.
    ///
    /// ```
    /// use agui_runtime::Server;
    /// use agui_runtime::thread::Memory;
    /// # use agui_runtime::Agent;
    ///
    /// # fn example(shopper: impl Agent) -> Server {
    /// Server::new().threads(Memory::new()).agent("/", shopper)
    /// # }
    /// ```
    ///
    #[doc = include_str!("../../docs/threads.md")]
    pub fn threads(mut self, log: impl ThreadLog) -> Self {
        self.thread_log = Some(Arc::new(log));
        self
    }

    /// Sets the policies for threads: a second run on one, a client that leaves, how long they are kept.
    ///
    /// ```
    /// use agui_runtime::Server;
    /// use agui_runtime::http::{BusyThread, ThreadOptions};
    /// use agui_runtime::thread::Memory;
    ///
    /// let options = ThreadOptions::default().busy(BusyThread::Queue);
    /// let server = Server::new().threads(Memory::new()).thread_options(options);
    /// ```
    pub fn thread_options(mut self, options: ThreadOptions) -> Self {
        self.thread_options = options;
        self
    }
}
