//! Transports: bytes ⇄ events, without sockets.

#[cfg(feature = "proto")]
pub mod proto;
mod room;
pub mod sse;
