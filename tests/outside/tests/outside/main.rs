//! The harness for outside programs, tried on hand-made streams: it must find what is right to be right, and
//! every kind of wrong to be wrong.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod browser;
mod client;
mod compilers;
mod fixed_server;
mod missing;
mod oracle;
mod servers;
mod streams;
mod validator;
