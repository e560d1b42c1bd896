//! Shared parts of the cross-crate tests.

pub mod outside;
pub mod wire;
