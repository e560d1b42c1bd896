//! TCP connections: accepted, bounded in number and in time, and ended together.
//!
//! ```text
//! listener ─▶ accept ─▶ connections (room?) ─▶ drive ─▶ version ─▶ hyper ─▶ service ─▶ router
//!                          │               ▲                    │
//!                          ▼               └ state ◀────────────┴─ socket (reads, writes)
//!                        refuse
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `accept` | the loop that takes connections from the system |
//! | `connections` | all connections of a server; the choice of the connection to close for another |
//! | `state` | the activity of one connection, its start, and its limit of time |
//! | `socket` | the reads and writes of one connection |
//! | `drive` | one connection until its end |
//! | `version` | the version of HTTP that it speaks |
//! | `service` | one of its requests |
//! | `streams` | the streams of HTTP/2, each with a reader that may stop |
//! | `upgraded` | a connection that became a WebSocket |
//! | `refuse` | answers to connections from which no request can be read |
//! | `refusals` | the answers that hyper gives by itself, for the metrics |

mod accept;
mod connections;
mod drive;
mod refusals;
mod refuse;
mod service;
mod socket;
mod state;
mod streams;
#[cfg(feature = "websocket")]
mod upgraded;
mod version;

pub(in crate::server) use accept::accept;
pub(in crate::server) use drive::{Driver, Ending};
#[cfg(feature = "websocket")]
pub(in crate::server) use upgraded::{Leave, OngoingRun, Upgraded};
