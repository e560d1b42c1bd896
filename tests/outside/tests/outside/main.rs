//! The harness for outside programs, tested on hand-made streams: it must accept right ones, and refuse every kind of
//! wrong one.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod browser;
mod client;
mod compilers;
mod fixed_server;
mod missing;
mod oracle;
mod servers;
mod streams;
mod threads;
mod validator;
mod versions;
