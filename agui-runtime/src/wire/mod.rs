//! Bytes ⇄ events, without sockets.

pub mod snake_case;
pub mod sse;
