//! Lists: which elements came, went, moved and changed, as few operations as that takes.
//!
//! ```text
//! trim what is the same at both ends ─▶ walk: two fingers ─▶ find: lost and gained by token ─▶ stay: who need not move
//!      (compiled for each type)            └────────── one engine, behind the `Items` table ──────────┘        │
//!                                      contents, at final places ◀── emit: removes, then moves and inserts ◀───┘
//! ```

mod emit;
mod fenwick;
mod find;
mod items;
mod permute;
mod splice;
mod stay;
mod walk;

use std::ops::Range;

use super::Node;
use super::engine::{Json, Key, Patch, Path, least_element};

/// What the engine works in; kept from patch to patch.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    walk: walk::Walk,
    find: find::Table,
    stay: stay::Chains,
    plan: emit::Plan,
}

/// How the elements of one list are told apart.
pub(super) enum Alike<'k, T> {
    /// By everything they have.
    Same,
    /// By the key of their type.
    Own,
    /// By a key that the list's owner names.
    Named(Key<'k, T>),
}

impl<T> Clone for Alike<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Alike<'_, T> {}

impl<T: Node> Alike<'_, T> {
    pub(super) fn of_type() -> Self {
        if T::KEYED { Self::Own } else { Self::Same }
    }

    #[inline]
    fn test(self, old: &T, now: &T) -> bool {
        match self {
            Self::Same => old.same(now),
            Self::Own => old.key_same(now),
            Self::Named(key) => (key.same)(old, now),
        }
    }

    /// Whether two elements at the ends of both lists belong together; if they differ all the same, it is noted.
    #[inline]
    fn meets(self, old: &T, now: &T, place: usize, edits: &mut Edits) -> bool {
        if old.same(now) {
            return true;
        }
        let has_key = self.is_keyed() && self.test(old, now);
        if has_key {
            edits.note(place);
        }
        has_key
    }

    fn is_keyed(self) -> bool {
        !matches!(self, Self::Same)
    }
}

/// [`Node::sync`] of a list whose owner says how its elements are told apart.
pub(super) fn sync_named<T: Node>(
    old: &mut Vec<T>,
    now: &Vec<T>,
    key: Key<'_, T>,
    at: &Path<'_>,
    out: &mut Patch,
) {
    if at.is_deep() {
        out.whole(old, now, at);
    } else {
        sync(old, now, now, Alike::Named(key), at, out);
    }
}

/// [`Node::sync`] of a list.
pub(super) fn sync<T: Node>(
    old: &mut Vec<T>,
    now: &[T],
    whole: &dyn Json,
    alike: Alike<'_, T>,
    at: &Path<'_>,
    out: &mut Patch,
) {
    if out.is_over() {
        copy(old, now, at, out);
        return;
    }
    let mut edits = Edits::default();
    let head = old
        .iter()
        .zip(now)
        .enumerate()
        .take_while(|(place, pair)| alike.meets(pair.0, pair.1, *place, &mut edits))
        .count();
    let is_aligned = head == old.len() && head == now.len();
    if is_aligned && edits.is_empty() {
        return;
    }
    let mark = out.mark();
    if !is_aligned {
        edits.head = head;
        arrange(old, now, whole, alike, &mut edits, at, out);
    }
    for place in edits.places() {
        if out.looks_ahead() {
            look_ahead(old, now, place..edits.end, at, out);
        }
        if let (Some(old), Some(now)) = (old.get_mut(place), now.get(place))
            && !old.same(now)
        {
            old.sync(now, &at.index(place), out);
        }
    }
    out.settle(mark, at, whole);
}

/// What is the same at the start, and between which places elements have the right key and perhaps other contents.
#[derive(Default)]
struct Edits {
    /// How many elements at the start stand where they stood.
    head: usize,
    first: usize,
    end: usize,
}

impl Edits {
    fn is_empty(&self) -> bool {
        self.end == 0
    }

    #[cold]
    fn note(&mut self, place: usize) {
        self.first = if self.is_empty() { place } else { self.first.min(place) };
        self.end = self.end.max(place + 1);
    }

    fn places(&self) -> Range<usize> {
        self.first..self.end
    }
}

#[inline(never)]
fn arrange<T: Node>(
    old: &mut Vec<T>,
    now: &[T],
    whole: &dyn Json,
    alike: Alike<'_, T>,
    edits: &mut Edits,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let head = edits.head;
    let (old_rest, now_rest) = (old.get(head..).unwrap_or_default(), now.get(head..).unwrap_or_default());
    let backwards = old_rest.iter().rev().zip(now_rest.iter().rev()).enumerate();
    let tail =
        backwards.take_while(|(step, pair)| alike.meets(pair.0, pair.1, now.len() - 1 - step, edits)).count();
    let (lost, gained) = (old_rest.len() - tail, now_rest.len() - tail);
    if alike.is_keyed() && gained > 0 {
        // Any of them may have come with other contents.
        edits.note(head);
        edits.note(head + gained - 1);
    }
    if lost == 1 && gained == 1 {
        // Contents of keyed ones are synced afterwards.
        if let (Some(old), Some(now), false) = (old.get_mut(head), now.get(head), alike.is_keyed()) {
            old.sync(now, &at.index(head), out);
        }
        return;
    }
    let mut pair = items::Pair { old, now, head, alike };
    emit::run(&mut pair, lost, gained, whole, at, out);
}

/// Gives up if what is left to say of the contents is too long.
#[cold]
#[inline(never)]
fn look_ahead<T: Node>(old: &[T], now: &[T], places: Range<usize>, at: &Path<'_>, out: &mut Patch) {
    let (olds, nows) = (old.get(places.clone()).unwrap_or_default(), now.get(places).unwrap_or_default());
    let list = at.least();
    let least = olds.iter().zip(nows).map(|(old, now)| least_element(old, now, list)).sum();
    out.give_up_at(least, floor(now));
}

/// A lower bound for the text of a list, better than the one that costs nothing.
fn floor<T: Node>(elements: &[T]) -> usize {
    1 + elements.iter().map(|element| element.floor() + 1).sum::<usize>()
}

/// The list becomes `now`, element by element: nothing is written any more.
#[cold]
#[inline(never)]
fn copy<T: Node>(old: &mut Vec<T>, now: &[T], at: &Path<'_>, out: &mut Patch) {
    old.truncate(now.len());
    for (index, (old, now)) in old.iter_mut().zip(now).enumerate() {
        old.sync(now, &at.index(index), out);
    }
    old.extend(now.iter().skip(old.len()).cloned());
}
