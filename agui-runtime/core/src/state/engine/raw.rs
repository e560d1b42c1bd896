//! The engine without a run, for tests, fuzzers and benchmarks.

use super::{JsonOut, PatchText, StateNode};

/// Makes `sent` equal to `now`; `patch` then contains the operations.
///
/// # Errors
/// When a value has no JSON form.
pub fn sync<T: StateNode>(sent: &mut T, now: &T, patch: &mut PatchText) -> Result<(), serde_json::Error> {
    patch.restart(usize::MAX, T::EXACT);
    patch.bring(sent, now);
    match patch.out.take_error() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Returns the number of operations in the patch.
#[must_use]
pub fn count(patch: &PatchText) -> usize {
    patch.ops
}

/// Returns the operations as a JSON array without its closing bracket.
#[must_use]
pub fn open_text(patch: &PatchText) -> &[u8] {
    patch.out.text.as_bytes()
}

/// Writes a value's JSON text into a reused buffer.
///
/// # Errors
/// When the value has no JSON form.
pub fn write<'o, T: StateNode>(value: &T, out: &'o mut JsonOut) -> Result<&'o [u8], serde_json::Error> {
    out.text.clear();
    value.write(out);
    match out.take_error() {
        Some(error) => Err(error),
        None => Ok(out.text.as_bytes()),
    }
}

/// Returns true if two values have the same JSON.
#[must_use]
pub fn same<T: StateNode>(old: &T, now: &T) -> bool {
    old.same(now)
}
