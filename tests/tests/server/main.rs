//! The server over real sockets: every byte it sends, and what it does when clients or signals end things.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod bad_input;
mod clients;
mod kitchen;
mod old_input;
mod program;
mod routes;
mod shutdown;
mod stream;
