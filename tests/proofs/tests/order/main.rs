//! The ordering verifier against the official one, and against the official streams.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod alphabet;
mod codes;
mod extensions;
mod many;
mod pinned;
mod streams;

use std::io::Write as _;

/// Prints a line of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
