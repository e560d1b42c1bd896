//! Limits on how a patch may grow a document: a few bytes can make millions of values, or very deep ones.

use serde_json::Value;

use crate::protocol::JsonPointer;

/// The bytes that `copy` operations in a stream may make by default, 64 · 2²⁰.
pub const MAX_COPIED: usize = 64 << 20;

/// The greatest depth of a patched document: twice a frame's depth, and safe for every program that walks the document.
///
/// ```
/// use agui_runtime::json::patch::{MAX_DEPTH, PatchFault, patch};
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use serde_json::json;
///
/// let deep = (1..MAX_DEPTH).fold(json!(1), |inner, _| json!([inner]));
/// let mut document = json!({ "deep": deep, "box": {} });
/// let root = JsonPointer::root();
/// let into_the_box = PatchOperation::move_(root.child("deep"), root.child("box").child("deep"));
/// let error = patch(&mut document, &[into_the_box]).unwrap_err();
/// assert_eq!(error.fault, PatchFault::TooDeep { limit: MAX_DEPTH });
/// ```
pub const MAX_DEPTH: usize = 256;

/// The greatest JSON depth in one frame, the JSON reader's limit.
const DEPTH_OF_FRAMES: usize = 128;

/// The bytes that `copy` operations may still make.
///
/// A copy may take the whole document, so thirty operations multiply the document by 2³⁰, and a few hundred bytes from a peer
/// could use up all memory. Sizes estimate what values take in memory: the text bytes, and a constant for each value and member.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::json::patch::{CopyLimit, PatchFault, StepLimit, patch_within};
/// use serde_json::json;
///
/// let mut document = json!({ "list": [] });
/// let double = PatchOperation::copy(JsonPointer::root(), JsonPointer::root().child("list").child("-"));
/// let bomb: Vec<_> = (0..40).map(|_| double.clone()).collect();
/// let mut copies = CopyLimit::up_to(1 << 20);
/// let error = patch_within(&mut document, &bomb, &mut copies, &mut StepLimit::default()).unwrap_err();
/// assert_eq!(error.fault, PatchFault::TooMuch { limit: 1 << 20 });
/// assert_eq!((error.path.as_str(), document), ("/list/-", json!({ "list": [] })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyLimit {
    limit: usize,
    left: usize,
}

/// The reason why a value must not be put at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrowthExcess {
    Much { limit: usize },
    Deep { limit: usize },
}

impl CopyLimit {
    /// Sets the limit in bytes.
    #[must_use]
    pub fn up_to(bytes: usize) -> Self {
        Self { limit: bytes, left: bytes }
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the remaining bytes.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Starts again with documents that take `bytes` bytes. Returns true if the limit allows more.
    pub(crate) fn holding(&mut self, bytes: usize) -> bool {
        let left = self.limit.saturating_sub(bytes);
        let is_more = left > self.left;
        self.left = self.left.max(left);
        is_more
    }

    /// Takes `bytes` bytes before something else is copied. Returns true if the limit allows them.
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Takes a value's bytes before the value is copied to a path.
    pub(crate) fn copy(&mut self, value: &Value, to: &JsonPointer) -> Result<(), GrowthExcess> {
        let much = GrowthExcess::Much { limit: self.limit };
        let size = size_within(value, self.left).ok_or(much)?;
        let depth = levels(to) + depth(value);
        if depth > MAX_DEPTH {
            return Err(GrowthExcess::Deep { limit: MAX_DEPTH });
        }
        self.left -= size;
        Ok(())
    }
}

impl Default for CopyLimit {
    fn default() -> Self {
        Self::up_to(MAX_COPIED)
    }
}

/// Checks the depth before a frame's value is put at a path.
#[inline]
pub(crate) fn check_put(value: &Value, to: &JsonPointer) -> Result<(), GrowthExcess> {
    // A path has fewer levels than bytes.
    if to.as_str().len() <= MAX_DEPTH - DEPTH_OF_FRAMES { Ok(()) } else { check_depth(value, to) }
}

/// Checks the depth before a value is moved: a few bytes can move a whole document one level deeper.
#[inline]
pub(crate) fn check_move(value: &Value, from: &JsonPointer, to: &JsonPointer) -> Result<(), GrowthExcess> {
    if is_deeper(from, to) { check_depth(value, to) } else { Ok(()) }
}

/// Returns true if a moved value lies deeper than before, so that the value's own depth matters.
pub(crate) fn is_deeper(from: &JsonPointer, to: &JsonPointer) -> bool {
    levels(to) > levels(from)
}

fn check_depth(value: &Value, to: &JsonPointer) -> Result<(), GrowthExcess> {
    if levels(to) + depth(value) <= MAX_DEPTH { Ok(()) } else { Err(GrowthExcess::Deep { limit: MAX_DEPTH }) }
}

fn levels(place: &JsonPointer) -> usize {
    place.as_str().bytes().filter(|byte| *byte == b'/').count()
}

/// Returns the levels of objects and arrays in a value; 0 for any other value.
pub(crate) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// Returns the approximate bytes that a value takes.
pub(crate) fn size(value: &Value) -> usize {
    size_within(value, usize::MAX).unwrap_or(usize::MAX)
}

/// Returns [`size`], or `None` beyond `limit`; the rest of the value is then not visited.
fn size_within(value: &Value, limit: usize) -> Option<usize> {
    let mut left = limit;
    take(value, &mut left)?;
    Some(limit - left)
}

fn take(value: &Value, left: &mut usize) -> Option<()> {
    /// A map entry's bytes, besides the key's text.
    const MEMBER: usize = 2 * size_of::<String>();
    *left = left.checked_sub(size_of::<Value>())?;
    match value {
        Value::String(text) => *left = left.checked_sub(text.len())?,
        Value::Array(items) => items.iter().try_for_each(|item| take(item, left))?,
        Value::Object(members) => {
            for (key, member) in members {
                *left = left.checked_sub(key.len() + MEMBER)?;
                take(member, left)?;
            }
        }
        _ => {}
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_copy_beyond_the_limit_is_not_visited_and_takes_nothing() {
        let value = json!({ "a": ["text", 1, null], "b": {} });
        let whole = size(&value);
        assert!(whole > 6 * size_of::<Value>());
        assert_eq!(size_within(&value, whole), Some(whole));
        assert_eq!(size_within(&value, whole - 1), None);
        let mut copies = CopyLimit::up_to(2 * whole);
        let to = JsonPointer::root().child("x");
        assert_eq!(copies.copy(&value, &to), Ok(()));
        assert_eq!(copies.copy(&value, &to), Ok(()));
        assert_eq!(copies.copy(&value, &to), Err(GrowthExcess::Much { limit: 2 * whole }));
        assert_eq!(copies.left(), 0);
        assert!(copies.holding(whole) && copies.left() == whole && !copies.holding(2 * whole));
    }

    #[test]
    fn depth_is_the_path_plus_the_value() {
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(depth(&deep), 100);
        let at = |levels| (0..levels).fold(JsonPointer::root(), |place, _| place.child("a"));
        assert_eq!(check_put(&deep, &at(156)), Ok(()));
        assert_eq!(check_put(&deep, &at(157)), Err(GrowthExcess::Deep { limit: 256 }));
        assert_eq!(check_move(&deep, &at(200), &at(200)), Ok(()), "not deeper than before");
        assert_eq!(check_move(&deep, &at(199), &at(200)), Err(GrowthExcess::Deep { limit: 256 }));
    }
}
