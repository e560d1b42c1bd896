//! Programs over the real API: all small ones are sound, all small legal streams have one, and threads change nothing.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod children;
mod completeness;
mod deeds;
mod drive;
mod menu;
mod parts;
mod play;
mod player;
mod program;
mod soundness;
mod stress;
mod traces;

use std::io::Write as _;

/// Prints a line of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// A number from the environment, for the full depth of a proof.
fn number(variable: &str, usual: usize) -> usize {
    match std::env::var(variable) {
        Ok(number) => number.parse().unwrap_or_else(|cause| panic!("{variable}={number}: {cause}")),
        Err(_) => usual,
    }
}
