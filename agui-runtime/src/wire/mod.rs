//! Transports: bytes ⇄ events, without sockets.

#[cfg(feature = "proto")]
pub mod proto;
mod room;
pub mod sse;
#[cfg(all(feature = "websocket", any(feature = "client", feature = "server")))]
pub(crate) mod websocket;
