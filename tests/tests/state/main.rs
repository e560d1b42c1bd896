//! Patches of typed state, on types of every serde form, against other people's appliers.
//!
//! More of everything: `AGUI_STATE_CASES=1000000 AGUI_STATE_CORPUS=100000 cargo test --release -p agui-tests --test state`.

mod outside;
mod pairs;
mod sequences;

/// How many random cases a test draws: `AGUI_STATE_CASES`, or as many as it says itself.
fn cases(few: usize) -> usize {
    std::env::var("AGUI_STATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}
