//! Bytes ⇄ events, without sockets.

#[cfg(feature = "proto")]
pub mod proto;
mod room;
pub mod snake_case;
pub mod sse;
