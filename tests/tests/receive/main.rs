//! A client's stages, checked against the official client and its fixtures.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod chunks;
mod compat;
mod enforce;
mod fold;
mod json;
mod vectors;
