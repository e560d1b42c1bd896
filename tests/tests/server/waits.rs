//! The waits of other clients during an attack.
//!
//! `AGUI_ATTACK_P99` is the limit in milliseconds for their 99th percentile. The default is for a debug build that shares
//! two processors with other tests; alone on a machine, it holds 100.

use std::env;
use std::time::Duration;

/// A number from an environment variable.
pub(crate) fn number(variable: &str, otherwise: usize) -> usize {
    env::var(variable).map_or(otherwise, |value| value.parse().unwrap())
}

/// The longest that anyone may wait, whatever the percentile.
const LONGEST: Duration = Duration::from_secs(2);

/// Prints the waits, and checks their 99th percentile and the longest.
pub(crate) fn check(mut waits: Vec<Duration>, what: &str, otherwise: Duration) {
    assert!(waits.len() >= 100, "{what}: {} waits have no 99th percentile", waits.len());
    waits.sort_unstable();
    let (median, p99) = (waits[waits.len() / 2], waits[waits.len() * 99 / 100]);
    let longest = waits[waits.len() - 1];
    println!("{what}: {} waits, median {median:?}, p99 {p99:?}, longest {longest:?}", waits.len());
    let limit = Duration::from_millis(number("AGUI_ATTACK_P99", otherwise.as_millis() as usize) as u64);
    assert!(p99 <= limit, "{what}: p99 {p99:?}, median {median:?}");
    assert!(longest <= LONGEST, "{what}: longest {longest:?}, median {median:?}");
}
