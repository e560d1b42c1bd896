//! Protocol versions that peers declare (AG-UI 1.0, section "Negotiation").

use std::cmp::Ordering;

use crate::protocol::PROTOCOL_VERSION;

/// Compares a declared protocol version with ours, by major number and as a whole; `None` if the version is malformed.
pub(crate) fn compare(declared: &str) -> Option<(Ordering, Ordering)> {
    let (theirs, ours) = (components(declared)?, components(PROTOCOL_VERSION)?);
    Some((theirs.0.cmp(&ours.0), theirs.cmp(&ours)))
}

/// Parses major and minor: two decimal numbers and nothing else.
fn components(version: &str) -> Option<(u64, u64)> {
    let number = |text: &str| {
        let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that overflows is larger than any version of ours.
        is_decimal.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (major, minor) = version.split_once('.')?;
    Some((number(major)?, number(minor)?))
}
