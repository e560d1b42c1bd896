//! Lists: finds added, removed, moved and changed elements, and the few operations that describe them.
//!
//! ```text
//! trim what is the same at both ends ─▶ walk: both in step ─▶ find: lost and gained by token ─▶ stay: the unmoved
//!      (compiled for each type)            └────────── one engine, behind the `ListMiddle` table ──────────┘        │
//!                                      contents, at final places ◀── emit: removes, then moves and inserts ◀───┘
//! ```

mod chains;
mod emit;
mod fenwick;
mod items;
mod permute;
mod rebuild;
mod splice;
mod table;
mod walk;

use super::{KeyFunctions, MovedElement, PatchText, StateNode, StatePath, WriteJson};
use items::{CompareDirection, ListMiddle, ListPair};

/// The engine's work space, kept from patch to patch.
#[derive(Debug, Default)]
pub(crate) struct ListScratch {
    walk: walk::ListWalk,
    find: table::TokenTable,
    stay: chains::MatchChains,
    plan: emit::ListPlan,
}

/// How a list identifies elements.
pub(in crate::state) enum ElementIdentity<'k, T> {
    /// By the whole value.
    Same,
    /// By the key that the element type has.
    Own,
    /// By a key that the list's owner names.
    Named(KeyFunctions<'k, T>),
}

impl<T> Clone for ElementIdentity<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ElementIdentity<'_, T> {}

impl<T: StateNode> ElementIdentity<'_, T> {
    pub(in crate::state) fn of_type() -> Self {
        if T::KEYED { Self::Own } else { Self::Same }
    }

    #[inline]
    fn test(self, old: &T, now: &T) -> bool {
        match self {
            Self::Same => old.same(now),
            Self::Own => T::KEYED && old.key_same(now),
            Self::Named(key) => (key.same)(old, now),
        }
    }

    /// Returns true if different elements have the same key.
    #[cold]
    #[inline(never)]
    fn keeps(self, old: &T, now: &T) -> bool {
        self.is_keyed() && self.test(old, now)
    }

    fn is_keyed(self) -> bool {
        !matches!(self, Self::Same)
    }
}

/// Works like [`StateNode::sync`] for a list whose owner names the key field.
pub(in crate::state) fn sync_named<T: StateNode>(
    old: &mut Vec<T>,
    now: &Vec<T>,
    key: KeyFunctions<'_, T>,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    sync(old, now, now, ElementIdentity::Named(key), at, out);
}

/// Implements [`StateNode::sync`] for a list.
pub(in crate::state) fn sync<T: StateNode>(
    old: &mut Vec<T>,
    now: &[T],
    whole: &dyn WriteJson,
    alike: ElementIdentity<'_, T>,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    let lengths = (old.len(), now.len());
    bring(&mut ListPair { old, now, head: 0, alike }, lengths, whole, at, out);
}

/// Turns a list into the new one.
fn bring(
    items: &mut dyn ListMiddle,
    (olds, nows): (usize, usize),
    whole: &dyn WriteJson,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    let mut edits = out.take_edits();
    if out.is_over() {
        copy(items, nows, at, out);
    } else {
        let head = items.in_step(0, 0, olds.min(nows), CompareDirection::Forth, &mut edits);
        let is_aligned = head == olds && head == nows;
        if !is_aligned || !edits.0.is_empty() {
            if at.is_deep() {
                out.set(at, whole);
                copy(items, nows, at, out);
            } else {
                let mark = out.mark();
                if !is_aligned {
                    items.start_at(head);
                    arrange(items, (olds - head, nows - head), whole, &mut edits, at, out);
                }
                bring_contents(items, &edits, at, out);
                out.settle(mark, at, whole);
            }
        }
    }
    out.return_edits(edits);
}

fn bring_contents(items: &mut dyn ListMiddle, edits: &EditedPlaces, at: &StatePath<'_>, out: &mut PatchText) {
    let records = items.is_keyed() && out.records_moves(items.element(), 2 * edits.0.len());
    for (said, &place) in edits.0.iter().enumerate() {
        if records && sync_renewed(items, place, at, out) {
            continue;
        }
        if !records && out.looks_ahead() {
            look_ahead(items, edits.0.get(said..).unwrap_or_default(), at, out);
        }
        items.sync(place, at, out);
    }
}

/// If the element at a place got another key, turns it into the new one: the old element may be in another list now.
#[cold]
fn sync_renewed(items: &mut dyn ListMiddle, place: usize, at: &StatePath<'_>, out: &mut PatchText) -> bool {
    let Some([(was, was_key), (is, is_key)]) = items.renewed(place) else { return false };
    let renewed = out.begin_renewed(was, is);
    items.sync(place, at, out);
    let moved = |key| MovedElement { element: items.element(), key, place };
    out.end_renewed(renewed, [moved(was_key), moved(is_key)], at);
    true
}

/// The new list's places where an element stays or was added, but has other contents. Sorted once all are noted.
#[derive(Debug, Default)]
pub(crate) struct EditedPlaces(Vec<usize>);

impl EditedPlaces {
    #[cold]
    fn note(&mut self, place: usize) {
        self.0.push(place);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Sorts the places and removes duplicates.
    fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
    }
}

/// Puts the `nows` elements of the new middle in place; contents follow later.
fn arrange(
    items: &mut dyn ListMiddle,
    (olds, nows): (usize, usize),
    whole: &dyn WriteJson,
    edits: &mut EditedPlaces,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    let both = olds.min(nows);
    let tail = items.in_step(olds - both, nows - both, both, CompareDirection::Back, edits);
    let (lost, gained) = (olds - tail, nows - tail);
    if lost == 1 && gained == 1 {
        edits.note(items.head());
    } else {
        emit::run(items, lost, gained, whole, edits, at, out);
    }
    edits.sort();
}

/// Gives up if the operations on the remaining contents are certainly too long.
#[cold]
fn look_ahead(items: &dyn ListMiddle, places: &[usize], at: &StatePath<'_>, out: &mut PatchText) {
    let list = at.least();
    out.give_up_at(places.iter().map(|&place| items.least(place, list)).sum(), items.floor());
}

/// Copies the `nows` elements of the new list place by place; nothing is written.
#[cold]
fn copy(items: &mut dyn ListMiddle, nows: usize, at: &StatePath<'_>, out: &mut PatchText) {
    let was_over = out.pause();
    items.start_at(0);
    let olds = items.length();
    items.remove(nows, olds);
    for place in 0..olds.min(nows) {
        items.sync(place, at, out);
    }
    out.resume(was_over);
    items.reserve(nows.saturating_sub(olds));
    for place in olds..nows {
        items.insert(place, place);
    }
}
