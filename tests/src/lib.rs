//! Shared parts of the cross-crate tests.

pub mod http;
pub mod outside;
pub mod wire;
