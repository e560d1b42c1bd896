//! The engines of threads that need no other program: in memory, and on SQLite.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod conformance;
mod folder;
mod sqlite;
