//! A client's stages, checked against the official client and its fixtures.
//!
//! More of everything random: `AGUI_RECEIVE_TIMES=100 cargo test --release -p agui-proofs --test receive`.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod bombs;
mod chunks;
mod compat;
mod conformance;
mod differences;
mod differential;
mod enforce;
mod excuse;
mod fold;
mod generate;
mod json;
mod judge;
mod mutate;
mod official;
mod proto;
mod stream;
mod vectors;
mod ways;

use std::io::Write as _;

/// The factor for the number of random cases.
fn times() -> usize {
    match std::env::var("AGUI_RECEIVE_TIMES") {
        Ok(times) => times.parse().unwrap_or_else(|cause| panic!("AGUI_RECEIVE_TIMES={times}: {cause}")),
        Err(_) => 1,
    }
}

/// Prints a line of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
