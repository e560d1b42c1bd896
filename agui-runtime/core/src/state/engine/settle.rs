//! Chooses between the operations on a value's parts and one shorter operation on the whole value.

use super::patch::PatchOperand;
use super::{PatchText, StateNode, StatePath, TextMark, WriteJson};

/// The length of an operation with a value, without the path and the value.
const FRAME: usize = "{\"op\":\"add\",\"path\":\"\",\"value\":}".len();
/// The shortest operation's length, with the comma before it and without the path.
const BARE: usize = ",{\"op\":\"remove\",\"path\":\"\"}".len();
/// The length of a move operation, without the paths.
const MOVE: usize = ",{\"op\":\"move\",\"from\":\"\",\"path\":\"\"}".len();
/// The length of the shortest index segment.
const INDEX: usize = "/0".len();
/// The length of the shortest possible operation.
const REMOVE: usize = "{\"op\":\"remove\",\"path\":\"/0\"},".len();
/// The length of the shortest operation that adds, replaces or moves an element.
const SHORTEST: usize = "{\"op\":\"add\",\"path\":\"/0\",\"value\":1},".len();

/// Returns the minimal length of the operation that sets a value; `path` is the path's length.
pub fn least_set(path: usize, now: &dyn WriteJson) -> usize {
    FRAME + 1 + path + now.least()
}

/// Returns the minimal length of the operations on a value whose path has the given length: half a move between two such values.
pub fn least_operation(path: usize) -> usize {
    MOVE / 2 + path
}

/// Returns the minimal length after settling: one operation that sets the value may replace `parts` bytes of operations.
pub fn least_settled(parts: usize, path: usize, now: &dyn WriteJson) -> usize {
    if parts == 0 { 0 } else { parts.min(least_set(path, now)) }
}

/// [`StateNode::least_change`] for an element.
pub(crate) fn least_element<T: StateNode>(old: &T, now: &T, list: usize) -> usize {
    old.least_change(now, list + INDEX)
}

/// Returns the minimal length of a list's structural operations: the given numbers of removes and moves, and the added values.
pub(crate) fn least_structure(
    list: usize,
    removes: usize,
    moves: usize,
    values: impl Iterator<Item = usize>,
) -> usize {
    let path = list + INDEX;
    removes * (BARE + path)
        + moves * (MOVE + 2 * path)
        + values.map(|value| FRAME + path + value).sum::<usize>()
}

impl PatchText {
    /// Writes the whole value if that is certainly shorter than the given number of element operations.
    pub(crate) fn settle_early(
        &mut self,
        removes: usize,
        others: usize,
        at: &StatePath<'_>,
        now: &dyn WriteJson,
    ) -> bool {
        let length = removes * REMOVE + others * SHORTEST;
        if self.over || FRAME + now.least() >= length {
            return false;
        }
        let mark = self.mark();
        let limit = std::mem::replace(&mut self.out.limit, mark.length + length);
        let written = self.write_op(self.setting(at), at, PatchOperand::Value(now));
        self.out.limit = limit;
        if written.is_err() || self.out.text.len() >= mark.length + length {
            self.rewind(mark);
            return false;
        }
        self.ops += 1;
        true
    }

    /// Ends a container: one operation with the whole value replaces the operations that the parts have written since `mark`, if
    /// that is shorter.
    #[inline]
    pub fn settle(&mut self, mark: TextMark, at: &StatePath<'_>, now: &dyn WriteJson) {
        if self.ops > mark.ops + 1 || self.refused != 0 {
            self.settle_changed(mark, at, now);
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_changed(&mut self, mark: TextMark, at: &StatePath<'_>, now: &dyn WriteJson) {
        if self.over {
            return;
        }
        let depth = u32::try_from(at.depth()).unwrap_or(u32::MAX);
        if self.refused.checked_shr(depth).unwrap_or(0) != 0 {
            self.refused &= (1_u128 << depth.min(127)) - 1;
            self.rewind(mark);
            self.set(at, now);
        } else if self.ops > mark.ops + 1 {
            self.try_whole(mark, at, now);
        }
    }

    /// Writes the whole value after the operations, and stops as soon as it is not shorter.
    fn try_whole(&mut self, mark: TextMark, at: &StatePath<'_>, now: &dyn WriteJson) {
        let parts = self.mark();
        let length = parts.length - mark.length;
        if FRAME + now.least() >= length {
            return;
        }
        // The result is shorter than the present text, so the patch's own limit does not matter here.
        let limit = std::mem::replace(&mut self.out.limit, parts.length + length);
        let written = self.write_op(self.setting(at), at, PatchOperand::Value(now));
        self.out.limit = limit;
        let whole = self.out.text.len() - parts.length;
        if written.is_err() || whole >= length {
            self.rewind(parts);
            return;
        }
        if self.moves.has_since(mark.length) {
            let whole = self.out.text.get(parts.length + 1..).unwrap_or_default().to_owned();
            self.rewind(parts);
            self.settle_later(mark.length..parts.length, &whole);
            return;
        }
        // The comma before the first operation belongs to its place in the list, so it is kept.
        let comma = usize::from(mark.ops > 0);
        self.out.text.drain(mark.length + comma..parts.length + 1);
        self.ops = mark.ops + 1;
    }
}
