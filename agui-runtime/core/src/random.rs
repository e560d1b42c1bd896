//! Random numbers: of the system for secrets, and of the standard library for ids.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Fills with unpredictable bytes; `None` if the system has none.
#[cfg(all(feature = "signed-interrupts", not(all(target_family = "wasm", target_os = "unknown"))))]
pub(crate) fn fill(bytes: &mut [u8]) -> Option<()> {
    getrandom::fill(bytes).ok()
}

/// Returns `None`: this target has no random numbers.
#[cfg(all(feature = "signed-interrupts", target_family = "wasm", target_os = "unknown"))]
pub(crate) fn fill(_: &mut [u8]) -> Option<()> {
    None
}

/// Returns a number for ids that differ between runs, processes and machines. An id is not a secret: the keys of a hash map
/// are random enough. Where the system has no random numbers they are always the same, so `apart`, the ids of the run,
/// is part of the number.
pub fn number(apart: impl Hash) -> u64 {
    static GIVEN: AtomicU64 = AtomicU64::new(0);
    RandomState::new().hash_one((apart, GIVEN.fetch_add(1, Ordering::Relaxed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_repeat() {
        let drawn: std::collections::HashSet<u64> = (0..1_000).map(|_| number("run")).collect();
        assert_eq!(drawn.len(), 1_000);
    }
}
