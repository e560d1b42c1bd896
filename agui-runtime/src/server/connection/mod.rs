//! TCP connections: accepted, bounded in number and in time, and ended together.
//!
//! ```text
//! listener ─▶ accept ─▶ crowd (room?) ─▶ drive ─▶ hyper ─▶ service ─▶ router
//!                          │               ▲        │
//!                          ▼               └ state ◀┴─ socket (reads, writes)
//!                        refuse
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `accept` | the loop that takes connections from the system |
//! | `crowd` | all connections of a server; which of them gives way |
//! | `state` | what one connection does, since when, and how long it may |
//! | `socket` | what one connection reads and writes |
//! | `drive` | one connection until its end |
//! | `service` | one request of it |
//! | `streams` | the streams of HTTP/2, each with a reader that may stop |
//! | `refuse` | answers to connections that no request can be read from |

mod accept;
mod crowd;
mod drive;
mod refuse;
mod service;
mod socket;
mod state;
mod streams;

pub(super) use accept::accept;
pub(super) use drive::{Driver, Ending};
