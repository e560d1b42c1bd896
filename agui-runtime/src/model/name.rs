//! The names of tools.

/// The name under which the model sees the output as a tool. No tool of an agent has it.
pub(crate) const FINAL_RESULT: &str = "final_result";

/// The names that all providers accept.
pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && name.len() <= 64
}
