//! One operation on the whole where that is shorter than those on its parts.

use super::super::Node;
use super::patch::Operand;
use super::{Json, Mark, Patch, Path};

/// An operation with a value, without the path and the value.
const FRAME: usize = "{\"op\":\"add\",\"path\":\"\",\"value\":}".len();
/// The shortest operation, with the comma before it and without its path.
const BARE: usize = ",{\"op\":\"remove\",\"path\":\"\"}".len();
const MOVE: usize = ",{\"op\":\"move\",\"from\":\"\",\"path\":\"\"}".len();
/// A segment of a path that is an index.
const INDEX: usize = "/0".len();
/// The shortest operation of all.
const REMOVE: usize = "{\"op\":\"remove\",\"path\":\"/0\"},".len();
/// The shortest of those that add, replace or move an element.
const SHORTEST: usize = "{\"op\":\"add\",\"path\":\"/0\",\"value\":1},".len();

/// The length of the operation that sets a value, at least; `path` is the length of the path.
pub fn least_set(path: usize, now: &dyn Json) -> usize {
    FRAME + 1 + path + now.least()
}

/// The length of the shortest operation of all at a path of that length.
pub fn least_operation(path: usize) -> usize {
    BARE + path
}

/// The length of what becomes of operations on the parts of a value: they may be settled to one that sets it.
pub fn least_settled(parts: usize, path: usize, now: &dyn Json) -> usize {
    if parts == 0 { 0 } else { parts.min(least_set(path, now)) }
}

/// [`Node::least_change`] of an element.
pub(crate) fn least_element<T: Node>(old: &T, now: &T, list: usize) -> usize {
    old.least_change(now, list + INDEX)
}

/// What the operations on the structure of a list come to at least: so many removes and moves, and the values that come.
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

impl Patch {
    /// Before a list's elements write so many operations at least: writes the whole value instead, where that is
    /// shorter for sure.
    pub(crate) fn settle_early(
        &mut self,
        removes: usize,
        others: usize,
        at: &Path<'_>,
        now: &dyn Json,
    ) -> bool {
        let length = removes * REMOVE + others * SHORTEST;
        if self.over || FRAME + now.least() >= length {
            return false;
        }
        let mark = self.mark();
        let limit = std::mem::replace(&mut self.out.limit, mark.length + length);
        let written = self.write_op(self.setting(at), at, Operand::Value(now));
        self.out.limit = limit;
        if written.is_err() || self.out.text.len() >= mark.length + length {
            self.rewind(mark);
            return false;
        }
        self.ops += 1;
        true
    }

    /// Ends a container: where one operation with the whole value is shorter than what its parts have written since
    /// `mark`, that is what stays.
    #[inline]
    pub fn settle(&mut self, mark: Mark, at: &Path<'_>, now: &dyn Json) {
        if self.ops > mark.ops + 1 || self.refused != 0 {
            self.settle_changed(mark, at, now);
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_changed(&mut self, mark: Mark, at: &Path<'_>, now: &dyn Json) {
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

    /// Writes the whole value behind the operations, and stops as soon as it is not shorter.
    fn try_whole(&mut self, mark: Mark, at: &Path<'_>, now: &dyn Json) {
        let parts = self.mark();
        let length = parts.length - mark.length;
        if FRAME + now.least() >= length {
            return;
        }
        // What is kept is shorter than what is there, so the patch's own limit does not matter here.
        let limit = std::mem::replace(&mut self.out.limit, parts.length + length);
        let written = self.write_op(self.setting(at), at, Operand::Value(now));
        self.out.limit = limit;
        let whole = self.out.text.len() - parts.length;
        if written.is_err() || whole >= length {
            self.rewind(parts);
            return;
        }
        // The comma before the first operation belongs to its place in the list, and stays.
        let comma = usize::from(mark.ops > 0);
        self.out.text.drain(mark.length + comma..parts.length + 1);
        self.ops = mark.ops + 1;
    }
}
