//! One patch's operations, written as JSON text as they are found.

use super::list::{EditedPlaces, ListScratch};
use super::moves::ListMoves;
use super::path::{PlaceKind, UnwritablePath};
use super::{JsonOut, StateNode, StatePath, WriteJson};
use crate::quoted::quoted;

/// The number of bytes by which operations may pass the budget before the pass gives up. Operations on the parts of a small
/// container can be longer than the container, which is then sent whole in the end.
const SLACK: usize = 4096;

/// A JSON Patch (RFC 6902) being written as text: `[{"op":…},…`.
#[derive(Debug)]
pub struct PatchText {
    pub(super) out: JsonOut,
    pub(super) ops: usize,
    /// The text's final maximum length.
    budget: usize,
    /// The length at which the next look ahead is worth the cost.
    ahead: usize,
    /// True if existing members are written with `replace`.
    pub(super) exact: bool,
    /// Set once the text is longer than allowed: from then on nothing is written, and the pass only copies.
    pub(super) over: bool,
    /// One bit for each depth at which a value must be sent whole, because clients refuse a member's name in paths.
    pub(super) refused: u128,
    /// The elements that may have changed lists.
    // In a box, because activities keep a patch each, and few of them move anything.
    pub(super) moves: Box<ListMoves>,
    /// The list engine's work space, one for each level of nested lists.
    scratch: Vec<ListScratch>,
    edits: Vec<EditedPlaces>,
}

/// A text position to return to.
#[derive(Debug, Clone, Copy)]
pub struct TextMark {
    pub(super) length: usize,
    pub(super) ops: usize,
}

impl Default for PatchText {
    fn default() -> Self {
        let mut patch = Self {
            out: JsonOut::default(),
            ops: 0,
            budget: usize::MAX,
            ahead: usize::MAX,
            exact: false,
            over: false,
            refused: 0,
            moves: Box::default(),
            scratch: Vec::new(),
            edits: Vec::new(),
        };
        patch.restart(usize::MAX, false);
        patch
    }
}

impl PatchText {
    /// Starts again, in the same buffer. `budget` is the text's final maximum length.
    pub(crate) fn restart(&mut self, budget: usize, exact: bool) {
        // A pass that panicked left its error behind.
        drop(self.out.take_error());
        self.out.text.clear();
        self.out.text.push('[');
        self.out.limit = budget.saturating_add(SLACK);
        self.budget = budget;
        self.ahead = budget / 8;
        self.ops = 0;
        self.exact = exact;
        self.over = false;
        self.refused = 0;
        self.moves.clear();
    }

    /// Starts again in the same buffer, for a whole document.
    pub(crate) fn restart_whole(&mut self) {
        self.restart(usize::MAX, false);
        self.out.text.clear();
    }

    /// Writes a whole document, after [`restart_whole`](Self::restart_whole).
    pub(crate) fn write_whole(&mut self, document: &dyn WriteJson) -> Result<&str, serde_json::Error> {
        document.json(&mut self.out);
        self.text()
    }

    /// Returns the patch as text; `[]` when there is nothing to send.
    ///
    /// # Errors
    /// The first error, when a value had no JSON form.
    pub(crate) fn close(&mut self) -> Result<&str, serde_json::Error> {
        self.out.byte(b']');
        self.text()
    }

    fn text(&mut self) -> Result<&str, serde_json::Error> {
        match self.out.take_error() {
            Some(error) => Err(error),
            None => Ok(&self.out.text),
        }
    }

    pub(crate) fn take_error(&mut self) -> Option<serde_json::Error> {
        self.out.take_error()
    }

    /// Returns the closed text's length.
    pub(crate) fn length(&self) -> usize {
        self.out.text.len() + 1
    }

    /// Returns true if no difference was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.ops == 0 && self.is_complete()
    }

    /// Returns true if the operations are everything that must be sent.
    pub(crate) fn is_complete(&self) -> bool {
        !self.over && self.refused == 0
    }

    /// Returns the current text position. A container takes the mark before its parts write.
    #[must_use]
    #[inline]
    pub fn mark(&self) -> TextMark {
        TextMark { length: self.out.text.len(), ops: self.ops }
    }

    /// Sets the existing value at `at`: `replace` for an element, `add` for a member (RFC 6902, 4.1).
    #[cold]
    #[inline(never)]
    pub fn set(&mut self, at: &StatePath<'_>, now: &dyn WriteJson) {
        self.op(self.setting(at), at, PatchOperand::Value(now));
    }

    /// Adds a value that did not exist at `at`: a member, or an element before the present one.
    #[cold]
    #[inline(never)]
    pub fn insert(&mut self, at: &StatePath<'_>, now: &dyn WriteJson) {
        self.op(PatchOp::Add, at, PatchOperand::Value(now));
    }

    /// Removes the value at `at`.
    #[cold]
    #[inline(never)]
    pub fn remove(&mut self, at: &StatePath<'_>) {
        self.op(PatchOp::Remove, at, PatchOperand::None);
    }

    /// Syncs a value by sending it whole: [`StateNode::sync`] for a type without smaller operations.
    #[cold]
    #[inline(never)]
    pub fn whole<T: StateNode>(&mut self, old: &mut T, now: &T, at: &StatePath<'_>) {
        if !old.same(now) {
            self.set(at, now);
            old.clone_from(now);
        }
    }

    /// Syncs a member that was absent, by `skip_serializing_if`, and is present now.
    #[cold]
    #[inline(never)]
    pub fn gained<T: StateNode>(&mut self, old: &mut T, now: &T, at: &StatePath<'_>) {
        self.insert(at, now);
        old.clone_from(now);
    }

    /// Syncs a member that was present and is absent now.
    #[cold]
    #[inline(never)]
    pub fn lost<T: StateNode>(&mut self, old: &mut T, now: &T, at: &StatePath<'_>) {
        self.remove(at);
        old.clone_from(now);
    }

    /// Moves the value at `from` to `to`.
    #[cold]
    #[inline(never)]
    pub(crate) fn move_(&mut self, from: &StatePath<'_>, to: &StatePath<'_>) {
        self.op(PatchOp::Move, to, PatchOperand::From(from));
    }

    /// Returns true if operations are no longer written. Then the pass only has to copy.
    #[must_use]
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Writes nothing until [`resume`](Self::resume) gets the returned value: a part whose operations are already written is only
    /// copied.
    #[must_use]
    pub(crate) fn pause(&mut self) -> bool {
        std::mem::replace(&mut self.over, true)
    }

    pub(crate) fn resume(&mut self, was_over: bool) {
        self.over = was_over;
    }

    /// Returns true, once in a while, if so much has been written that a look ahead is worth the cost: most of the document may
    /// have changed.
    #[must_use]
    #[inline]
    pub(crate) fn looks_ahead(&mut self) -> bool {
        let looks = self.out.text.len() > self.ahead && !self.over;
        if looks {
            self.ahead = self.ahead.saturating_mul(2);
        }
        looks
    }

    /// Returns true if estimating operations before they are written can save work.
    pub(crate) fn is_limited(&self) -> bool {
        self.budget != usize::MAX
    }

    /// Gives up if the remaining operations are already too long, and so is the whole value that could replace them. Both are
    /// lower bounds.
    pub(crate) fn give_up_at(&mut self, operations: usize, whole: usize) {
        let written = self.out.text.len().saturating_sub(self.moves.spare());
        let least = written.saturating_add(operations).min(whole);
        self.over |= least > self.budget;
    }

    /// Records that a value has no JSON form; the patch is not sent.
    #[cold]
    pub fn fail_with(&mut self, message: &str) {
        self.out.fail_with(message);
    }

    #[cold]
    pub(crate) fn fail(&mut self, error: serde_json::Error) {
        self.out.fail(error);
    }

    pub(crate) fn take_edits(&mut self) -> EditedPlaces {
        self.edits.pop().unwrap_or_default()
    }

    pub(crate) fn return_edits(&mut self, mut edits: EditedPlaces) {
        edits.clear();
        self.edits.push(edits);
    }

    pub(crate) fn take_scratch(&mut self) -> ListScratch {
        self.scratch.pop().unwrap_or_default()
    }

    pub(crate) fn return_scratch(&mut self, scratch: ListScratch) {
        self.scratch.push(scratch);
    }

    /// Returns the operation that sets an existing value.
    pub(super) fn setting(&self, at: &StatePath<'_>) -> PatchOp {
        if self.exact || at.place() == PlaceKind::Element { PatchOp::Replace } else { PatchOp::Add }
    }

    fn op(&mut self, op: PatchOp, at: &StatePath<'_>, operand: PatchOperand<'_>) {
        if self.over {
            return;
        }
        let mark = self.mark();
        match self.write_op(op, at, operand) {
            Ok(()) => {
                self.ops += 1;
                self.over = self.out.is_full();
            }
            Err(UnwritablePath::Refused(depth)) => {
                self.rewind(mark);
                self.refuse(depth);
            }
            Err(UnwritablePath::Nameless(error)) => {
                self.rewind(mark);
                self.fail(error);
            }
        }
    }

    fn refuse(&mut self, depth: usize) {
        self.refused |= 1_u128.checked_shl(u32::try_from(depth).unwrap_or(0)).unwrap_or(1);
    }

    /// Replaces the operations written since `mark` for members of the object at `at`, because two members have one name. Sends
    /// the object whole if anything in it changed.
    #[cold]
    #[inline(never)]
    pub fn collided(&mut self, mark: TextMark, at: &StatePath<'_>) {
        if self.ops > mark.ops {
            let mut path = String::new();
            if at.write(&mut path).is_ok() {
                tracing::debug!(path = %quoted(path), "two members have one name, so their owner is sent whole");
            }
            self.refuse(at.depth());
        }
    }

    pub(super) fn write_op(
        &mut self,
        op: PatchOp,
        at: &StatePath<'_>,
        operand: PatchOperand<'_>,
    ) -> Result<(), UnwritablePath> {
        let out = &mut self.out;
        out.comma();
        out.raw(op.head());
        if let PatchOperand::From(from) = operand {
            from.write(&mut out.text)?;
            out.raw(PatchOp::TO);
        }
        at.write(&mut out.text)?;
        if let PatchOperand::Value(value) = operand {
            out.raw(PatchOp::VALUE);
            value.json(out);
            out.byte(b'}');
        } else {
            out.raw("\"}");
        }
        Ok(())
    }

    pub(super) fn rewind(&mut self, mark: TextMark) {
        self.out.text.truncate(mark.length);
        self.ops = mark.ops;
        self.moves.rewind(mark.length);
    }
}

/// An operation's kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum PatchOp {
    Add,
    Replace,
    Remove,
    Move,
}

impl PatchOp {
    pub(super) const ALL: [Self; 4] = [Self::Add, Self::Replace, Self::Remove, Self::Move];
    /// The text between a move's paths.
    pub(super) const TO: &str = "\",\"path\":\"";
    /// The text between the path and the value.
    pub(super) const VALUE: &str = "\",\"value\":";

    /// Returns the operation's text up to the first path.
    pub(super) const fn head(self) -> &'static str {
        match self {
            Self::Add => "{\"op\":\"add\",\"path\":\"",
            Self::Replace => "{\"op\":\"replace\",\"path\":\"",
            Self::Remove => "{\"op\":\"remove\",\"path\":\"",
            Self::Move => "{\"op\":\"move\",\"from\":\"",
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum PatchOperand<'a> {
    None,
    From(&'a StatePath<'a>),
    Value(&'a dyn WriteJson),
}
