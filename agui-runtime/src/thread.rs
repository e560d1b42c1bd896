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

#[doc(inline)]
pub use agui_runtime_core::thread::*;
#[cfg(feature = "postgres")]
#[doc(inline)]
pub use agui_runtime_postgres::Postgres;
#[cfg(feature = "redis")]
#[doc(inline)]
pub use agui_runtime_redis::Redis;
#[cfg(feature = "sqlite")]
#[doc(inline)]
pub use agui_runtime_sqlite::Sqlite;
