//! Numbers and texts that tell one claim from another.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::random;

/// Returns a new epoch number: milliseconds since the Unix epoch, with random digits below. A thread may be deleted and begun
/// again within one millisecond, by servers whose clocks differ: the last owner's appends must not match the new thread.
pub(super) fn new_epoch() -> u64 {
    let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
    // Engines keep 63 bits, which is enough until the year 2248.
    ((millis << 20) | (random::number("an epoch") >> 44)) & (u64::MAX >> 1)
}

/// Returns the time of an epoch number, in milliseconds since the Unix epoch.
pub(super) fn epoch_millis(epoch: u64) -> u64 {
    epoch >> 20
}

/// Returns a text that no other claim has.
pub(super) fn nonce() -> String {
    format!("{:016x}", random::number("a claim"))
}
