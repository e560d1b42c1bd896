//! What the tests of the wire format share: the official schema, the fixtures, samples of every type, and generators.

// Test code: a panic is how a test fails, and its message is the report.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
#![allow(clippy::missing_panics_doc)]

pub mod fixture;
pub mod generate;
pub mod sample;
pub mod schema;
pub mod typed;
