//! Bytes ⇄ events, without sockets.

#[cfg(feature = "proto")]
pub mod proto;
pub mod snake_case;
pub mod sse;
