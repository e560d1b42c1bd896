//! Bytes ⇄ events, without sockets.

#[cfg(feature = "proto")]
pub mod proto;
pub mod sse;
