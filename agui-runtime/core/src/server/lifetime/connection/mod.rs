//! TCP connections: accepted, limited in number and time, and ended together.
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
//! | `accept` | accepts connections from the system |
//! | `connections` | all connections to a server; the choice which to close for another |
//! | `state` | a connection's activity and its deadline |
//! | `socket` | a connection's reads and writes |
//! | `drive` | one connection until its end |
//! | `version` | the connection's HTTP version |
//! | `service` | one request on a connection |
//! | `streams` | HTTP/2 streams, each with a reader that may stop |
//! | `upgraded` | a connection that became a WebSocket |
//! | `refuse` | responses on connections from which no request can be read |
//! | `refusals` | counts responses that hyper sends by itself, for the metrics |

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
pub(in crate::server) use drive::{ConnectionDriver, ShutdownPhase};
#[cfg(feature = "websocket")]
pub(in crate::server) use upgraded::{OngoingRun, SocketCloseReason, UpgradedConnection};
