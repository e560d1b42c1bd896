//! Lists: finds added, removed, moved and changed elements, and the few operations that describe them.
//!
//! ```text
//! trim what is the same at both ends ─▶ walk: both in step ─▶ find: lost and gained by token ─▶ stay: the unmoved
//!      (compiled for each type)            └────────── one engine, behind the `Items` table ──────────┘        │
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

use super::Node;
use super::{Json, KeyFunctions, Moved, Patch, Path};
use items::{Items, Pair, Way};

/// The engine's work space, kept from patch to patch.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    walk: walk::Walk,
    find: table::Table,
    stay: chains::MatchChains,
    plan: emit::ListPlan,
}

/// How a list identifies elements.
pub(in crate::state) enum Alike<'k, T> {
    /// By the whole value.
    Same,
    /// By the key that the element type has.
    Own,
    /// By a key that the list's owner names.
    Named(KeyFunctions<'k, T>),
}

impl<T> Clone for Alike<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Alike<'_, T> {}

impl<T: Node> Alike<'_, T> {
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

/// Works like [`Node::sync`] for a list whose owner names the key field.
pub(in crate::state) fn sync_named<T: Node>(
    old: &mut Vec<T>,
    now: &Vec<T>,
    key: KeyFunctions<'_, T>,
    at: &Path<'_>,
    out: &mut Patch,
) {
    sync(old, now, now, Alike::Named(key), at, out);
}

/// Implements [`Node::sync`] for a list.
pub(in crate::state) fn sync<T: Node>(
    old: &mut Vec<T>,
    now: &[T],
    whole: &dyn Json,
    alike: Alike<'_, T>,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let lengths = (old.len(), now.len());
    bring(&mut Pair { old, now, head: 0, alike }, lengths, whole, at, out);
}

/// Turns a list into the new one.
fn bring(
    items: &mut dyn Items,
    (olds, nows): (usize, usize),
    whole: &dyn Json,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let mut edits = out.take_edits();
    if out.is_over() {
        copy(items, nows, at, out);
    } else {
        let head = items.in_step(0, 0, olds.min(nows), Way::Forth, &mut edits);
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

fn bring_contents(items: &mut dyn Items, edits: &Edits, at: &Path<'_>, out: &mut Patch) {
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
fn sync_renewed(items: &mut dyn Items, place: usize, at: &Path<'_>, out: &mut Patch) -> bool {
    let Some([(was, was_key), (is, is_key)]) = items.renewed(place) else { return false };
    let renewed = out.begin_renewed(was, is);
    items.sync(place, at, out);
    let moved = |key| Moved { element: items.element(), key, place };
    out.end_renewed(renewed, [moved(was_key), moved(is_key)], at);
    true
}

/// The new list's places where an element stays or was added, but has other contents. Sorted once all are noted.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<usize>);

impl Edits {
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
    items: &mut dyn Items,
    (olds, nows): (usize, usize),
    whole: &dyn Json,
    edits: &mut Edits,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let both = olds.min(nows);
    let tail = items.in_step(olds - both, nows - both, both, Way::Back, edits);
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
fn look_ahead(items: &dyn Items, places: &[usize], at: &Path<'_>, out: &mut Patch) {
    let list = at.least();
    out.give_up_at(places.iter().map(|&place| items.least(place, list)).sum(), items.floor());
}

/// Copies the `nows` elements of the new list place by place; nothing is written.
#[cold]
fn copy(items: &mut dyn Items, nows: usize, at: &Path<'_>, out: &mut Patch) {
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
