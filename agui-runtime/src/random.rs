//! Numbers for ids that have to differ between processes and machines.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// The prefix of ids that nobody else gives out: 128 bits in hexadecimal.
pub(crate) fn prefix() -> String {
    static GIVEN: AtomicU64 = AtomicU64::new(0);
    // The hasher of the standard library is seeded by the system, anew for each.
    let number = || RandomState::new().hash_one(GIVEN.fetch_add(1, Ordering::Relaxed));
    format!("{:016x}{:016x}", number(), number())
}
