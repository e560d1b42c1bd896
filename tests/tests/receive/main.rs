//! A client's stages, checked against the official client and its fixtures.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod chunks;
mod compat;
mod conformance;
mod differential;
mod enforce;
mod fold;
mod generate;
mod json;
mod judge;
mod vectors;

use std::io::Write as _;

/// Says something of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
