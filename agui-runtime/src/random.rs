//! Random numbers of the system, for secrets and for ids.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// Fills with unpredictable bytes; `None` if the system has none.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn fill(bytes: &mut [u8]) -> Option<()> {
    getrandom::fill(bytes).ok()
}

/// Returns `None`: this target has no random numbers.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn fill(_: &mut [u8]) -> Option<()> {
    None
}

/// Returns a number for ids that differ between runs, processes and machines. If the system has no random numbers, it is
/// a hash of `apart`, the ids of the run: an id is not a secret, so a run need not fail.
pub(crate) fn number(apart: impl Hash) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    fill(&mut bytes).map_or_else(|| hashed(apart), |()| u64::from_ne_bytes(bytes))
}

fn hashed(apart: impl Hash) -> u64 {
    static GIVEN: AtomicU64 = AtomicU64::new(0);
    let mut hasher = DefaultHasher::new();
    (apart, GIVEN.fetch_add(1, Ordering::Relaxed)).hash(&mut hasher);
    // On most systems the address of a static differs between processes.
    (&raw const GIVEN).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_repeat_with_and_without_random_numbers_of_the_system() {
        let drawn: std::collections::HashSet<u64> =
            (0..1_000).flat_map(|_| [number("run"), hashed("run")]).collect();
        assert_eq!(drawn.len(), 2_000);
    }
}
