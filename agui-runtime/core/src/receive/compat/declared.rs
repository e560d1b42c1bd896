//! Protocol versions that peers declare (AG-UI 1.0, section "Negotiation").

use std::cmp::Ordering;

use crate::protocol::ProtocolVersion;
use crate::protocol::version::version_numbers;

/// Compares a declared protocol version with one of ours, by major number and as a whole; `None` if the version is malformed.
pub(crate) fn compare(declared: &str, ours: ProtocolVersion) -> Option<(Ordering, Ordering)> {
    let (theirs, ours) = (version_numbers(declared)?, ours.numbers());
    Some((theirs.0.cmp(&ours.0), theirs.cmp(&ours)))
}
