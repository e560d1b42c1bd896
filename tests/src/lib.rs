//! Shared parts of the cross-crate tests.
