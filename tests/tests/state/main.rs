//! Patches of typed state, on types of every serde form, against other people's appliers.
//!
//! More of everything: `AGUI_STATE_CASES=1000000 AGUI_STATE_CORPUS=100000 cargo test --release -p agui-tests --test state`.

mod adversarial;
mod applying;
mod collisions;
mod forms;
mod hazards;
mod minimal;
mod outside;
mod pairs;
mod recovery;
mod sequences;
mod tracking;

/// How many random cases a test draws: `AGUI_STATE_CASES`, or as many as it says itself.
fn cases(few: usize) -> usize {
    std::env::var("AGUI_STATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}

/// The operations from one value to another, which hold what every patch must.
#[track_caller]
fn ops<T: agui_runtime::State + std::fmt::Debug>(old: &T, now: &T) -> serde_json::Value {
    let flush = agui_tests::patching::Session::new(old).flush(now);
    serde_json::from_str(&flush.patch).unwrap()
}
