//! Bytes ⇄ events, without sockets.

pub mod sse;
