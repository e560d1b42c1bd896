//! Threads that outlive a connection, a process and a machine.
//!
//! A thread is an append-only event log. Every guarantee follows from one [`ThreadLog`] operation, the conditional append:
//!
//! | guarantee | how |
//! |---|---|
//! | one run at a time, and each interrupt resumed once | a run begins with an append that claims the thread under a new epoch; of two claims one loses |
//! | no events from a node that was thought dead | that node's next append conflicts: a later claim moved the log's end |
//! | no event that a client saw is lost | an event leaves the server after the append |
//!
//! | engine | feature | for |
//! |---|---|---|
//! | [`Memory`] | | tests, and threads that may end with the process |
//! | `Sqlite` | `sqlite` | one machine: a file, which several processes may open |
//! | `Postgres` | `postgres` | many machines: a database |
//! | `Redis` | `redis` | many machines, with a shorter latency. A Redis failover may lose acknowledged appends |

mod append;
mod cursor;
pub(crate) mod digest;
mod head;
mod key;
mod listed;
mod log;
mod log_error;
mod memory;
mod open_error;
mod page;
#[cfg(feature = "thread-servers")]
pub(crate) mod reconnect;
pub(crate) mod wakes;

pub use append::{AppendError, LARGEST_RECORD, LogAppend, LogPosition};
pub use cursor::{InvalidCursor, ThreadCursor};
pub use head::LogHead;
pub use key::ThreadKey;
pub use listed::ThreadEntry;
pub use log::ThreadLog;
pub use log_error::LogError;
pub use memory::Memory;
pub use open_error::OpenError;
pub use page::{LogPage, LogReadError};
