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

#[cfg(feature = "server")]
mod answered;
mod append;
#[cfg(feature = "server")]
mod claim;
#[cfg(feature = "server")]
mod claiming;
#[cfg(feature = "server")]
mod copies;
mod cursor;
#[cfg(any(feature = "postgres", feature = "redis"))]
mod digest;
#[cfg(feature = "server")]
mod fold;
mod head;
#[cfg(feature = "server")]
mod input;
mod key;
mod listed;
#[cfg(feature = "server")]
mod live;
mod log;
mod log_error;
mod memory;
#[cfg(feature = "server")]
mod note;
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
mod open_error;
mod page;
#[cfg(feature = "server")]
mod pages;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "postgres", feature = "redis"))]
mod reconnect;
#[cfg(feature = "server")]
mod record;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "server")]
mod run_control;
#[cfg(feature = "server")]
mod secret;
#[cfg(feature = "server")]
mod shared_cells;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "server")]
mod tail;
#[cfg(feature = "server")]
mod takeover;
#[cfg(feature = "server")]
mod trim;
mod wakes;

#[cfg(feature = "server")]
pub(crate) use answered::Answered;
pub use append::{Append, AppendError, LARGEST_RECORD, Position};
#[cfg(feature = "server")]
pub(crate) use claim::{Claim, WriteError};
#[cfg(feature = "server")]
pub(crate) use claiming::{ClaimError, Claimant, Claiming};
#[cfg(feature = "server")]
pub(crate) use copies::{CopyBudget, CopyChange, HeldCopy, NO_MEMORY, SMALL_COPY};
pub use cursor::{Cursor, InvalidCursor};
#[cfg(feature = "server")]
pub(crate) use fold::{FoldError, Folded};
pub use head::Head;
#[cfg(feature = "server")]
pub(crate) use input::{Contradiction, Filled, fill};
pub use key::ThreadKey;
pub use listed::Listed;
#[cfg(feature = "server")]
pub(crate) use live::Live;
pub use log::ThreadLog;
pub use log_error::LogError;
pub use memory::Memory;
#[cfg(feature = "server")]
pub(crate) use note::{Note, NotedRun};
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
pub use open_error::OpenError;
pub use page::{Page, ReadError};
#[cfg(feature = "server")]
pub(crate) use pages::{Pages, ReaderKind, Records};
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
#[cfg(feature = "server")]
pub(crate) use record::{Control, Record, is_event, of_event, read as read_record};
#[cfg(feature = "redis")]
pub use redis::Redis;
#[cfg(feature = "server")]
pub(crate) use run_control::{OwnerMessage, tell_owner};
#[cfg(feature = "server")]
pub(crate) use secret::secret;
#[cfg(feature = "server")]
pub(crate) use shared_cells::SharedCells;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
#[cfg(feature = "server")]
pub(crate) use tail::{Known, tail};
#[cfg(feature = "server")]
pub(crate) use takeover::{RecoverError, Takeover, Verdict, end_lost_run, take_over};
#[cfg(feature = "server")]
pub(crate) use trim::Keep;
