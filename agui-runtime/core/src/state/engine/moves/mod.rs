//! Elements that change from one list to another: one `move` in place of a `remove` and an `add`.
//!
//! ```text
//! lists ─▶ halves: removed and added elements with keys, and where their operations stand in the text
//!                                                                        │ at the end of the pass
//!          patch: the operations again, with a move for each pair ◀── merge ◀── pairs: same type, same key
//!                                                  `pass` brings the operations of a pair together
//! ```
//!
//! The pass itself does not know about moves: it writes both operations and copies both lists. So a half without a partner costs a
//! few words, and a mistake here can only spoil the text, never the copy.

mod delay;
mod merge;
mod operation;
mod pairs;
mod spot;

use std::any::TypeId;
use std::ops::Range;

use super::{JsonOut, PatchText, StateNode, StatePath, VisitedTypes, WriteJson};
use spot::ListSpot;

/// The most removed and added elements that are recorded in one pass. With more, operations that are brought together would pass
/// too many others.
const MOST: usize = 512;

/// The elements that may have changed lists in one pass.
#[derive(Debug, Default)]
pub(super) struct ListMoves {
    /// The state's type; its lists can exchange elements of the types in `exchanged`.
    root: Option<TypeId>,
    exchanged: ExchangedTypes,
    halves: Vec<MoveHalf>,
    wholes: Vec<WholeOperation>,
    /// The texts that halves and wholes refer to.
    texts: JsonOut,
    /// The number of text bytes that may not be in the patch in the end.
    spare: usize,
}

/// The element types that a state's lists can exchange.
#[derive(Debug)]
enum ExchangedTypes {
    Some(Vec<TypeId>),
    All,
}

impl Default for ExchangedTypes {
    fn default() -> Self {
        Self::Some(Vec::new())
    }
}

/// One side of a possible move.
#[derive(Debug)]
struct MoveHalf {
    side: MoveSide,
    element: TypeId,
    /// The key's fingerprint.
    key: u64,
    spot: ListSpot,
    /// The element's JSON, in the texts; empty if only the operation has the JSON.
    json: Range<usize>,
    /// The part of the patch's text with the operations that this half replaces.
    ops: Range<usize>,
    /// True if an element took another's place: both halves replace the same operations, and the lost one is the first half.
    is_renewal: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoveSide {
    /// Removed from a list.
    Lost,
    /// Added to a list.
    Gained,
}

/// An operation with a whole value, shorter than the operations on its parts as long as no move is found among them.
#[derive(Debug)]
struct WholeOperation {
    /// The part of the patch's text with the operations on the parts.
    ops: Range<usize>,
    /// The operation, in the texts.
    text: Range<usize>,
}

/// An element that is removed from a list or added to one.
#[derive(Debug)]
pub(crate) struct MovedElement {
    pub(crate) element: TypeId,
    /// The key's fingerprint.
    pub(crate) key: u64,
    /// The index in the list.
    pub(crate) place: usize,
}

impl ListMoves {
    pub(super) fn clear(&mut self) {
        self.halves.clear();
        self.wholes.clear();
        self.texts.text.clear();
        drop(self.texts.take_error());
        self.spare = 0;
    }

    /// Prepares for a state with type `T`.
    fn begin<T: StateNode>(&mut self) {
        let root = TypeId::of::<T>();
        if self.root != Some(root) {
            let mut types = VisitedTypes::default();
            // A walk that found a part without a type ended there.
            let is_open = T::is_open(&mut types);
            self.exchanged =
                if is_open { ExchangedTypes::All } else { ExchangedTypes::Some(types.several().collect()) };
            self.root = Some(root);
        }
    }

    /// Forgets everything recorded behind a text position.
    pub(super) fn rewind(&mut self, length: usize) {
        while self.halves.last().is_some_and(|half| half.ops.end > length) {
            self.halves.pop();
        }
        while self.wholes.last().is_some_and(|whole| whole.ops.end > length) {
            self.wholes.pop();
        }
    }

    pub(super) fn has_since(&self, length: usize) -> bool {
        self.halves.last().is_some_and(|half| half.ops.end > length)
    }

    pub(super) fn spare(&self) -> usize {
        self.spare
    }

    /// Returns a half's or a whole's text.
    fn text(&self, range: &Range<usize>) -> &str {
        self.texts.text.get(range.clone()).unwrap_or_default()
    }

    /// Records an element's JSON and returns the range in the texts.
    fn note(&mut self, json: &dyn WriteJson) -> Range<usize> {
        let start = self.texts.text.len();
        json.json(&mut self.texts);
        start..self.texts.text.len()
    }

    fn push(
        &mut self,
        side: MoveSide,
        moved: &MovedElement,
        at: &StatePath<'_>,
        json: Range<usize>,
        ops: Range<usize>,
    ) {
        if let Some(spot) = ListSpot::from_path(at, moved.place) {
            self.spare += ops.len();
            let MovedElement { element, key, .. } = *moved;
            self.halves.push(MoveHalf { side, element, key, spot, json, ops, is_renewal: false });
        }
    }
}

/// An element that takes another's place, with the JSON of both.
#[derive(Debug)]
pub(crate) struct RenewedElement {
    was: Range<usize>,
    is: Range<usize>,
    start: usize,
    limit: usize,
}

impl PatchText {
    /// Turns `sent`, the whole state, into `now`.
    pub(in crate::state) fn bring<T: StateNode>(&mut self, sent: &mut T, now: &T) {
        self.moves.begin::<T>();
        sent.sync(now, &StatePath::root(), self);
        self.merge_moves();
    }

    /// Returns true if `more` removed or added elements of a type are recorded, because another list may have them.
    pub(crate) fn records_moves(&self, element: TypeId, more: usize) -> bool {
        let is_exchanged = match &self.moves.exchanged {
            ExchangedTypes::Some(types) => types.contains(&element),
            ExchangedTypes::All => true,
        };
        is_exchanged && !self.over && self.moves.halves.len() + more <= MOST
    }

    /// Removes an element from the list at `at`, and records that another list may have it.
    #[cold]
    pub(crate) fn remove_moved(&mut self, moved: &MovedElement, was: &dyn WriteJson, at: &StatePath<'_>) {
        let (start, limit) = self.lift();
        let ops = self.ops;
        self.remove(&at.index(moved.place));
        self.lower(start, limit);
        if self.ops > ops {
            let json = self.moves.note(was);
            self.moves.push(MoveSide::Lost, moved, at, json, start..self.out.text.len());
        }
    }

    /// Adds an element to the list at `at`, and records that another list may have had it.
    #[cold]
    pub(crate) fn insert_moved(
        &mut self,
        moved: &MovedElement,
        is: &dyn WriteJson,
        is_last: bool,
        at: &StatePath<'_>,
    ) {
        let (start, limit) = self.lift();
        let ops = self.ops;
        self.insert(&if is_last { at.end() } else { at.index(moved.place) }, is);
        self.lower(start, limit);
        if self.ops > ops {
            self.moves.push(MoveSide::Gained, moved, at, 0..0, start..self.out.text.len());
        }
    }

    /// Begins to turn a list element into one with another key.
    #[cold]
    pub(crate) fn begin_renewed(&mut self, was: &dyn WriteJson, is: &dyn WriteJson) -> RenewedElement {
        let (was, is) = (self.moves.note(was), self.moves.note(is));
        let (start, limit) = self.lift();
        RenewedElement { was, is, start, limit }
    }

    /// Ends the step that [`begin_renewed`](Self::begin_renewed) began: the old element may be in another list now, and the new
    /// one may come from another.
    pub(crate) fn end_renewed(
        &mut self,
        renewed: RenewedElement,
        [lost, gained]: [MovedElement; 2],
        at: &StatePath<'_>,
    ) {
        let RenewedElement { was, is, start, limit } = renewed;
        self.lower(start, limit);
        let ops = start..self.out.text.len();
        if !ops.is_empty() && !self.over {
            self.moves.push(MoveSide::Lost, &lost, at, was, ops.clone());
            self.moves.push(MoveSide::Gained, &gained, at, is, ops);
            for half in self.moves.halves.iter_mut().rev().take(2) {
                half.is_renewal = true;
            }
        }
    }

    /// Lifts the text limit while operations are written that may not be in the patch in the end.
    fn lift(&mut self) -> (usize, usize) {
        (self.out.text.len(), std::mem::replace(&mut self.out.limit, usize::MAX))
    }

    fn lower(&mut self, start: usize, limit: usize) {
        self.out.limit = limit.saturating_add(self.out.text.len() - start);
    }

    /// Keeps an operation with a whole value for later: with a move among the parts, their operations may be shorter.
    pub(super) fn settle_later(&mut self, ops: Range<usize>, whole: &str) {
        let start = self.moves.texts.text.len();
        self.moves.texts.text.push_str(whole);
        self.moves.spare += ops.len();
        self.out.limit = self.out.limit.saturating_add(ops.len());
        self.moves.wholes.push(WholeOperation { ops, text: start..self.moves.texts.text.len() });
    }
}
