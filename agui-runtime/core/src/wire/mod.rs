//! Transports: bytes ⇄ events, without sockets.

#[cfg(feature = "proto")]
#[cfg_attr(
    not(feature = "receive"),
    allow(dead_code, unused_imports, reason = "only the stages of a client need all of it")
)]
pub mod proto;
mod room;
pub mod sse;
#[cfg(all(feature = "websocket", any(feature = "client", feature = "server")))]
pub(crate) mod websocket;
