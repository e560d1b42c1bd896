//! Random numbers of a seed (`splitmix64`).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers that all parts of a test draw in turn.
#[derive(Clone, Debug)]
pub struct Random(Arc<AtomicU64>);

impl Random {
    /// Begins with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seed.wrapping_mul(0xD134_2543_DE82_EF95))))
    }

    /// Returns a number below `end`.
    #[must_use]
    pub fn below(&self, end: u64) -> u64 {
        let state = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    /// Returns true once in `count` times; never for 0.
    #[must_use]
    pub fn one_in(&self, count: u64) -> bool {
        count > 0 && self.below(count) == 0
    }

    /// Returns one of some values.
    #[must_use]
    pub fn one_of<T: Copy>(&self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}
