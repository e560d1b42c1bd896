//! What patches may make of a document: of a few bytes they can make very many, or very deep ones.

use serde_json::Value;

use crate::protocol::JsonPointer;

/// How many bytes the `copy` operations of a stream may make when nothing else is said, 64 · 2²⁰.
pub const MAX_COPIED: usize = 64 << 20;

/// How many levels a document may have that patches build: twice what a frame may have, and few enough for every program that walks it.
pub const MAX_DEPTH: usize = 256;

/// How deep what one frame says can be, which is what the JSON reader takes.
const DEPTH_OF_FRAMES: usize = 128;

/// How much more `copy` operations may make.
///
/// A copy may take a document as a whole, so that thirty operations make 2³⁰ of it: what a peer says in some hundred bytes must not take
/// all memory. Sizes are estimates of the memory that values take, for texts their bytes, for each value and member some more.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::receive::patch::{Copies, PatchFault, Steps, patch_within};
/// use serde_json::json;
///
/// let mut document = json!({ "list": [] });
/// let double = PatchOperation::copy(JsonPointer::root(), JsonPointer::root().child("list").child("-"));
/// let bomb: Vec<_> = (0..40).map(|_| double.clone()).collect();
/// let mut copies = Copies::up_to(1 << 20);
/// let error = patch_within(&mut document, &bomb, &mut copies, &mut Steps::default()).unwrap_err();
/// assert_eq!(error.fault, PatchFault::TooMuch { limit: 1 << 20 });
/// assert_eq!((error.path.as_str(), document), ("/list/-", json!({ "list": [] })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    limit: usize,
    left: usize,
}

/// Why a value may not be put somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    Much { limit: usize },
    Deep { limit: usize },
}

impl Copies {
    /// So many bytes.
    #[must_use]
    pub fn up_to(bytes: usize) -> Self {
        Self { limit: bytes, left: bytes }
    }

    /// How many bytes there may be.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// How many bytes are left of them.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Begins anew with documents that hold so much; whether more is left then.
    pub(crate) fn holding(&mut self, bytes: usize) -> bool {
        let left = self.limit.saturating_sub(bytes);
        let is_more = left > self.left;
        self.left = self.left.max(left);
        is_more
    }

    /// Before something else of so many bytes is copied; whether there is room for it.
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Before a value is copied to a place.
    pub(crate) fn copy(&mut self, value: &Value, to: &JsonPointer) -> Result<(), Excess> {
        let much = Excess::Much { limit: self.limit };
        let size = size_within(value, self.left).ok_or(much)?;
        let depth = levels(to) + depth(value);
        if depth > MAX_DEPTH {
            return Err(Excess::Deep { limit: MAX_DEPTH });
        }
        self.left -= size;
        Ok(())
    }
}

impl Default for Copies {
    fn default() -> Self {
        Self::up_to(MAX_COPIED)
    }
}

/// Before a value that came in a frame is put at a place.
#[inline]
pub(crate) fn check_put(value: &Value, to: &JsonPointer) -> Result<(), Excess> {
    // A path of fewer bytes has fewer levels, whatever stands in it.
    if to.as_str().len() <= MAX_DEPTH - DEPTH_OF_FRAMES { Ok(()) } else { check_depth(value, to) }
}

/// Before a value is moved from one place to another: a few bytes can move all there is one level deeper.
#[inline]
pub(crate) fn check_move(value: &Value, from: &JsonPointer, to: &JsonPointer) -> Result<(), Excess> {
    if is_deeper(from, to) { check_depth(value, to) } else { Ok(()) }
}

/// Whether a value that is moved comes to be deeper than it was, so that its own depth matters.
pub(crate) fn is_deeper(from: &JsonPointer, to: &JsonPointer) -> bool {
    levels(to) > levels(from)
}

fn check_depth(value: &Value, to: &JsonPointer) -> Result<(), Excess> {
    if levels(to) + depth(value) <= MAX_DEPTH { Ok(()) } else { Err(Excess::Deep { limit: MAX_DEPTH }) }
}

fn levels(place: &JsonPointer) -> usize {
    place.as_str().bytes().filter(|byte| *byte == b'/').count()
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// How many bytes a value takes, about.
pub(crate) fn size(value: &Value) -> usize {
    size_within(value, usize::MAX).unwrap_or(usize::MAX)
}

/// The same, unless it is more than so many; what is beyond that is not looked at.
fn size_within(value: &Value, limit: usize) -> Option<usize> {
    let mut left = limit;
    take(value, &mut left)?;
    Some(limit - left)
}

fn take(value: &Value, left: &mut usize) -> Option<()> {
    /// What stands beside the text of a key in a map.
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
    fn what_does_not_fit_is_not_looked_at_and_takes_nothing() {
        let value = json!({ "a": ["text", 1, null], "b": {} });
        let whole = size(&value);
        assert!(whole > 6 * size_of::<Value>());
        assert_eq!(size_within(&value, whole), Some(whole));
        assert_eq!(size_within(&value, whole - 1), None);
        let mut copies = Copies::up_to(2 * whole);
        let to = JsonPointer::root().child("x");
        assert_eq!(copies.copy(&value, &to), Ok(()));
        assert_eq!(copies.copy(&value, &to), Ok(()));
        assert_eq!(copies.copy(&value, &to), Err(Excess::Much { limit: 2 * whole }));
        assert_eq!(copies.left(), 0);
        assert!(copies.holding(whole) && copies.left() == whole && !copies.holding(2 * whole));
    }

    #[test]
    fn depth_counts_the_way_and_the_value() {
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(depth(&deep), 100);
        let at = |levels| (0..levels).fold(JsonPointer::root(), |place, _| place.child("a"));
        assert_eq!(check_put(&deep, &at(156)), Ok(()));
        assert_eq!(check_put(&deep, &at(157)), Err(Excess::Deep { limit: 256 }));
        assert_eq!(check_move(&deep, &at(200), &at(200)), Ok(()), "no deeper than it was");
        assert_eq!(check_move(&deep, &at(199), &at(200)), Err(Excess::Deep { limit: 256 }));
    }
}
