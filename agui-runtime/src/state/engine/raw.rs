//! The engine without a run around it: for tests, fuzzers and benchmarks.

use super::super::Node;
use super::{Out, Patch, Path};

/// Brings `sent` up to `now`; the operations are in `patch` afterwards.
///
/// # Errors
/// When a value has no JSON form.
pub fn sync<T: Node>(sent: &mut T, now: &T, patch: &mut Patch) -> Result<(), serde_json::Error> {
    patch.restart(usize::MAX, T::EXACT);
    sent.sync(now, &Path::root(), patch);
    match patch.out.take_error() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// How many operations the patch has.
#[must_use]
pub fn count(patch: &Patch) -> usize {
    patch.ops
}

/// The operations as a JSON array, without its end.
#[must_use]
pub fn open_text(patch: &Patch) -> &[u8] {
    patch.out.text.as_bytes()
}

/// The JSON text of a value, in the same buffer each time.
///
/// # Errors
/// When the value has no JSON form.
pub fn write<'o, T: Node>(value: &T, out: &'o mut Out) -> Result<&'o [u8], serde_json::Error> {
    out.text.clear();
    value.write(out);
    match out.take_error() {
        Some(error) => Err(error),
        None => Ok(out.text.as_bytes()),
    }
}

/// Whether two values have the same JSON.
#[must_use]
pub fn same<T: Node>(old: &T, now: &T) -> bool {
    old.same(now)
}
