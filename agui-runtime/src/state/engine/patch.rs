//! The operations of one patch, written as JSON text as they are found.

use super::super::Node;
use super::super::list::{Edits, Scratch};
use super::path::{Place, Unsaid};
use super::{Json, Out, Path};
use crate::quoted::quoted;

/// How far operations may pass the budget before the pass gives up: those on the parts of a small container are longer
/// than the container, which is what is sent in the end.
const SLACK: usize = 4096;

/// Operations in the making (RFC 6902), as text: `[{"op":…},…`.
#[derive(Debug)]
pub struct Patch {
    pub(super) out: Out,
    pub(super) ops: usize,
    /// How long the text may be in the end.
    budget: usize,
    /// How long it is when it is next worth to look ahead.
    ahead: usize,
    /// Whether members that exist are written with `replace`.
    pub(super) exact: bool,
    /// Set once the text is longer than it may be: from then on nothing is written, and the pass only copies.
    pub(super) over: bool,
    /// One bit for each depth at which a value must be sent whole, because a member of it is refused in paths.
    pub(super) refused: u128,
    /// Room for the list engine, one for each level of lists in lists.
    scratch: Vec<Scratch>,
    edits: Vec<Edits>,
}

/// A point in the text to come back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    pub(super) length: usize,
    pub(super) ops: usize,
}

impl Default for Patch {
    fn default() -> Self {
        let mut patch = Self {
            out: Out::default(),
            ops: 0,
            budget: usize::MAX,
            ahead: usize::MAX,
            exact: false,
            over: false,
            refused: 0,
            scratch: Vec::new(),
            edits: Vec::new(),
        };
        patch.restart(usize::MAX, false);
        patch
    }
}

impl Patch {
    /// Starts again, in the same buffer. `budget` is how long the text may be in the end.
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
    }

    /// Starts again in the same buffer, for a whole document.
    pub(crate) fn restart_whole(&mut self) {
        self.restart(usize::MAX, false);
        self.out.text.clear();
    }

    /// The text of a whole document, after [`restart_whole`](Self::restart_whole).
    pub(crate) fn write_whole(&mut self, document: &dyn Json) -> Result<&str, serde_json::Error> {
        document.json(&mut self.out);
        self.text()
    }

    /// The patch as text; `[]` when there is nothing to send.
    ///
    /// # Errors
    /// When a value had no JSON form.
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

    /// How long the text is, once it is closed.
    pub(crate) fn length(&self) -> usize {
        self.out.text.len() + 1
    }

    /// Whether nothing was found to send.
    pub(crate) fn is_empty(&self) -> bool {
        self.ops == 0 && self.is_complete()
    }

    /// Whether the operations are all that is to be sent.
    pub(crate) fn is_complete(&self) -> bool {
        !self.over && self.refused == 0
    }

    /// Where the text is now: taken by a container before its parts write.
    #[must_use]
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { length: self.out.text.len(), ops: self.ops }
    }

    /// Sets what exists at `at`: `replace` for an element, `add` for a member (RFC 6902, 4.1).
    #[cold]
    #[inline(never)]
    pub fn set(&mut self, at: &Path<'_>, now: &dyn Json) {
        self.op(self.setting(at), at, Operand::Value(now));
    }

    /// Adds what did not exist at `at`: a member, or an element before the one that is there.
    #[cold]
    #[inline(never)]
    pub fn insert(&mut self, at: &Path<'_>, now: &dyn Json) {
        self.op(Op::Add, at, Operand::Value(now));
    }

    /// Removes what is at `at`.
    #[cold]
    #[inline(never)]
    pub fn remove(&mut self, at: &Path<'_>) {
        self.op(Op::Remove, at, Operand::None);
    }

    /// Syncs a value by sending it whole: what [`Node::sync`] does where nothing smaller can be said.
    #[cold]
    #[inline(never)]
    pub fn whole<T: Node>(&mut self, old: &mut T, now: &T, at: &Path<'_>) {
        if !old.same(now) {
            self.set(at, now);
            old.clone_from(now);
        }
    }

    /// Syncs a member that was absent, by `skip_serializing_if`, and is there now.
    #[cold]
    #[inline(never)]
    pub fn gained<T: Node>(&mut self, old: &mut T, now: &T, at: &Path<'_>) {
        self.insert(at, now);
        old.clone_from(now);
    }

    /// Syncs a member that was there and is absent now.
    #[cold]
    #[inline(never)]
    pub fn lost<T: Node>(&mut self, old: &mut T, now: &T, at: &Path<'_>) {
        self.remove(at);
        old.clone_from(now);
    }

    /// Moves what is at `from` to `to`.
    #[cold]
    #[inline(never)]
    pub(crate) fn move_(&mut self, from: &Path<'_>, to: &Path<'_>) {
        self.op(Op::Move, to, Operand::From(from));
    }

    /// Whether operations are still written. When not, all that is left to do is to copy.
    #[must_use]
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Writes nothing until [`resume`](Self::resume) gets what this gives: a part that is said already is copied.
    #[must_use]
    pub(crate) fn pause(&mut self) -> bool {
        std::mem::replace(&mut self.over, true)
    }

    pub(crate) fn resume(&mut self, was_over: bool) {
        self.over = was_over;
    }

    /// Whether so much has been written that it is worth to look ahead, once in a while: most of the document may have
    /// changed.
    #[must_use]
    #[inline]
    pub(crate) fn looks_ahead(&mut self) -> bool {
        let looks = self.out.text.len() > self.ahead && !self.over;
        if looks {
            self.ahead = self.ahead.saturating_mul(2);
        }
        looks
    }

    /// Whether looking at every operation before it is written can save anything.
    pub(crate) fn is_limited(&self) -> bool {
        self.budget != usize::MAX
    }

    /// Gives up when the operations that are still to come, or else the whole value that would be sent in their place,
    /// are too long already. Both are lower bounds.
    pub(crate) fn give_up_at(&mut self, operations: usize, whole: usize) {
        let least = self.out.text.len().saturating_add(operations).min(whole);
        self.over |= least > self.budget;
    }

    /// Says that a value has no JSON form; nothing of this patch is sent.
    #[cold]
    pub fn fail_with(&mut self, message: &str) {
        self.out.fail_with(message);
    }

    #[cold]
    pub(crate) fn fail(&mut self, error: serde_json::Error) {
        self.out.fail(error);
    }

    pub(crate) fn take_edits(&mut self) -> Edits {
        self.edits.pop().unwrap_or_default()
    }

    pub(crate) fn return_edits(&mut self, mut edits: Edits) {
        edits.clear();
        self.edits.push(edits);
    }

    pub(crate) fn take_scratch(&mut self) -> Scratch {
        self.scratch.pop().unwrap_or_default()
    }

    pub(crate) fn return_scratch(&mut self, scratch: Scratch) {
        self.scratch.push(scratch);
    }

    /// The operation that sets what exists.
    pub(super) fn setting(&self, at: &Path<'_>) -> Op {
        if self.exact || at.place() == Place::Element { Op::Replace } else { Op::Add }
    }

    fn op(&mut self, op: Op, at: &Path<'_>, operand: Operand<'_>) {
        if self.over {
            return;
        }
        let mark = self.mark();
        match self.write_op(op, at, operand) {
            Ok(()) => {
                self.ops += 1;
                self.over = self.out.is_full();
            }
            Err(Unsaid::Refused(depth)) => {
                self.rewind(mark);
                self.refuse(depth);
            }
            Err(Unsaid::Nameless(error)) => {
                self.rewind(mark);
                self.fail(error);
            }
        }
    }

    fn refuse(&mut self, depth: usize) {
        self.refused |= 1_u128.checked_shl(u32::try_from(depth).unwrap_or(0)).unwrap_or(1);
    }

    /// What was written since `mark` for members of the object at `at` cannot be trusted: two of its members have one
    /// name. Sends the object whole, if anything changed in it.
    #[cold]
    #[inline(never)]
    pub fn collided(&mut self, mark: Mark, at: &Path<'_>) {
        if self.ops > mark.ops {
            let mut path = String::new();
            if at.write(&mut path).is_ok() {
                tracing::debug!(path = %quoted(path), "two members have one name, so their owner is sent whole");
            }
            self.refuse(at.depth());
        }
    }

    pub(super) fn write_op(&mut self, op: Op, at: &Path<'_>, operand: Operand<'_>) -> Result<(), Unsaid> {
        let out = &mut self.out;
        out.comma();
        out.raw(op.head());
        if let Operand::From(from) = operand {
            from.write(&mut out.text)?;
            out.raw("\",\"path\":\"");
        }
        at.write(&mut out.text)?;
        if let Operand::Value(value) = operand {
            out.raw("\",\"value\":");
            value.json(out);
            out.byte(b'}');
        } else {
            out.raw("\"}");
        }
        Ok(())
    }

    pub(super) fn rewind(&mut self, mark: Mark) {
        self.out.text.truncate(mark.length);
        self.ops = mark.ops;
    }
}

/// What an operation does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    Add,
    Replace,
    Remove,
    Move,
}

impl Op {
    /// The text up to the first path.
    const fn head(self) -> &'static str {
        match self {
            Self::Add => "{\"op\":\"add\",\"path\":\"",
            Self::Replace => "{\"op\":\"replace\",\"path\":\"",
            Self::Remove => "{\"op\":\"remove\",\"path\":\"",
            Self::Move => "{\"op\":\"move\",\"from\":\"",
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    None,
    From(&'a Path<'a>),
    Value(&'a dyn Json),
}
