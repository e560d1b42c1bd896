//! Stored runs, which go on without their clients.
//!
//! ```text
//! POST path ─▶ start: fold the thread ─▶ fill the input ─▶ claim ─▶ pump: agent ─▶ appends     (a task of its own)
//!                └────────── attach ──────────────────────────────┐                   │
//! POST path/connect, GET events ─▶ join: cursor, prelude ─▶ reader ◀── the log ◀──────┘
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `backoff` | pauses between attempts |
//! | `options` | the policies |
//! | `store` | the log, and what the server knows about threads |
//! | `local_runs` | the runs on this server, and their readers |
//! | `epoch` | numbers that tell one claim from another |
//! | `start` | a request for a run: attach, wait, or claim |
//! | `reused` | resume entries under the interrupted run's id |
//! | `steer` | user messages that join the run that works |
//! | `response` | events of a thread, before they are encoded |
//! | `pump` | the task that runs the agent and appends the events |
//! | `past` | a thread's past, which readers share |
//! | `reader` | thread events as a response body |
//! | `legacy` | events for legacy clients |
//! | `join` | requests to read: connect, events |
//! | `manage` | requests to stop a run, and to read, change and delete a thread |
//! | `entries` | the list of a caller's threads |
//! | `description` | title, archive mark and metadata |
//! | `titles` | titles that the server writes |
//! | `maintenance` | lost runs, and threads that are too long or too old |
//! | `restart` | runs whose server was lost |
//! | `run_ends` | the listener for run ends: webhooks |
//! | `refusal` | refused requests |
//! | `a2a` | a thread's runs as tasks for A2A clients |

#[cfg(feature = "a2a")]
mod a2a;
mod backoff;
pub(crate) mod conversation;
mod description;
mod entries;
mod epoch;
mod local_runs;
mod maintenance;
mod manage;
mod options;
mod pump;
mod queue;
pub(crate) mod readers;
mod refusal;
mod rejoin;
mod response;
pub(in crate::server) mod restart;
mod reused;
mod routes;
pub(in crate::server) mod run_ends;
mod run_start;
mod secret;
mod start;
mod steer;
mod store;
mod titles;

#[cfg(feature = "a2a")]
pub(super) use a2a::{paths as a2a_paths, routes as a2a_routes};
pub(super) use description::DescriptionChange;
pub(super) use entries::{ListedThread, ThreadListQuery};
pub(super) use manage::ReadThread;
pub use options::{BusyThread, ClientLeaves, ThreadOptions};
pub(super) use refusal::no_thread;
pub(super) use routes::{AgentThreads, connect_path, parameter as query_parameter, paths, routes};
pub(super) use start::{start, start_read};
pub(super) use store::ServerThreads;
#[cfg(feature = "model")]
pub use titles::ModelTitles;
pub use titles::{FirstExchange, ThreadTitles};

use std::sync::Arc;

use super::Server;
use crate::thread::ThreadLog;

impl Server {
    /// Stores the agents' conversations: a run goes on when the client leaves, a reloaded page gets the conversation, the state
    /// and the open interrupts, and every server on the store can resume every stream. Nothing changes in the agents.
    ///
    /// A thread belongs to the [identity](Self::identity) that began the thread, and to the agent at the path: for all other
    /// callers the thread does not exist. Without identities, every client that knows a thread's id can read the thread.
    ///
    /// Interrupts are signed with a secret from the store, unless the server has [another key](crate::InterruptKey). Handlers of
    /// [your own](Self::routes) and agents in other dialects are not stored.
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
    #[doc = include_str!("../../docs/threads.md")]
    pub fn threads(mut self, log: impl ThreadLog) -> Self {
        self.thread_log = Some(Arc::new(log));
        self
    }

    /// Sets the thread policies: a second run on a busy thread, a client that leaves, how long threads are stored. See
    /// [`ThreadOptions`].
    pub fn thread_options(mut self, options: ThreadOptions) -> Self {
        self.thread_options = options;
        self
    }
}
