//! Signatures and encrypted reasoning, marked with the dialect that can read them.
//!
//! The client holds them as `encryptedValue` and sends them back. A conversation may move from one provider to another,
//! and a provider refuses the signatures of others.

/// Marks a value of a provider.
pub(super) fn seal(dialect: &str, value: &str) -> String {
    format!("{dialect}:{value}")
}

/// Returns the value if it is of this dialect.
pub(super) fn open<'v>(dialect: &str, value: Option<&'v str>) -> Option<&'v str> {
    value?.strip_prefix(dialect)?.strip_prefix(':')
}
