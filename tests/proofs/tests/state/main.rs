//! Patches of typed state, on types of every serde form, against other projects' appliers.
//!
//! The properties of every patch, for all values a and b of a type, with J(x) a reader's result for the text that
//! serde_json writes:
//!
//! | | property | its checks, for every type of the zoo |
//! |---|---|---|
//! | 1 | the patch leads from J(a) to J(b) | `Session::flush` with `json-patch`, in `pairs`, `sequences`, the fuzz target; `outside` with the JavaScript and Python libraries; `applying` with typed values |
//! | 2 | it is empty exactly when J(a) is J(b) | `Session::flush`, `Shadowed::flush` |
//! | 3 | the sent copy is b afterwards, and the next patch is right | the same, and `sequences` |
//! | 4 | a whole document is serde_json's text, byte for byte | the same |
//! | 5 | every prefix of a run's events leaves the client with the state of that flush | `runs`; `Shadowed` in `sequences` |
//! | 6 | it is a patch that the official client's library takes | `assert_valid` on every patch; `outside` |
//! | 7 | it is no longer than the whole and one head; past the budget the whole is sent | `Session::flush`, `Shadowed::flush` |
//!
//! If serde writes a name twice, of which readers take the last, a patch may change an unreadable part: there 2 only
//! says that changes are sent.
//!
//! More of everything: `AGUI_STATE_CASES=1000000 AGUI_STATE_CORPUS=100000 cargo test --release -p agui-proofs --test state`.

mod adversarial;
mod applying;
mod base;
mod collisions;
mod failed;
mod forms;
mod hazards;
mod large;
mod minimal;
mod moving;
mod outside;
mod pairs;
mod recovery;
mod runs;
mod sequences;
mod settling;
mod tracking;

use std::io::Write as _;

/// Prints a line of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// The number of random cases of a test: `AGUI_STATE_CASES`, or `few`.
fn cases(few: usize) -> usize {
    std::env::var("AGUI_STATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}

/// The operations from one value to another, with the properties of every patch.
#[track_caller]
fn ops<T: agui_runtime::State + std::fmt::Debug>(old: &T, now: &T) -> serde_json::Value {
    let flush = agui_proofs::patching::Session::new(old).flush(now);
    serde_json::from_str(&flush.patch).unwrap()
}
