//! Tool names.

use crate::agent::tool::LONGEST_NAME;

/// True if all providers accept the name.
pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && name.len() <= LONGEST_NAME
}
