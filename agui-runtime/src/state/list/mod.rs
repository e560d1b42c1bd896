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
mod rebuild;
mod splice;
mod stay;
mod walk;

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
            Self::Own => T::KEYED && old.key_same(now),
            Self::Named(key) => (key.same)(old, now),
        }
    }

    /// How many pairs in a row belong together. Of those that differ all the same the number in the row is noted.
    #[inline]
    fn meet<'a>(self, mut pairs: impl Iterator<Item = (&'a T, &'a T)>, mut note: impl FnMut(usize)) -> usize
    where
        T: 'a,
    {
        let mut count = 0;
        // Nothing but the comparison in the inner loop: nearly all are the same.
        while let Some((old, now)) = pairs.find(|(old, now)| {
            let is_same = old.same(now);
            count += usize::from(is_same);
            !is_same
        }) {
            if !self.keeps(old, now) {
                break;
            }
            note(count);
            count += 1;
        }
        count
    }

    /// Whether elements that differ have the same key.
    #[cold]
    #[inline(never)]
    fn keeps(self, old: &T, now: &T) -> bool {
        self.is_keyed() && self.test(old, now)
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
    sync(old, now, now, Alike::Named(key), at, out);
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
    if out.is_over() || at.is_deep() {
        copy_whole(old, now, whole, at, out);
        return;
    }
    let mut edits = out.take_edits();
    let head = alike.meet(old.iter().zip(now), |place| edits.note(place));
    let is_aligned = head == old.len() && head == now.len();
    if is_aligned && edits.0.is_empty() {
        out.return_edits(edits);
        return;
    }
    let mark = out.mark();
    if !is_aligned {
        arrange(old, now, head, whole, alike, &mut edits, at, out);
    }
    for (said, &place) in edits.0.iter().enumerate() {
        if out.looks_ahead() {
            look_ahead(old, now, edits.0.get(said..).unwrap_or_default(), at, out);
        }
        if let (Some(old), Some(now)) = (old.get_mut(place), now.get(place)) {
            old.sync(now, &at.index(place), out);
        }
    }
    out.return_edits(edits);
    out.settle(mark, at, whole);
}

/// Places in the new list of elements that stay or have come, with other contents. Sorted when they are all noted.
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

    /// Puts them in order, each once.
    fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
    }
}

#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn arrange<T: Node>(
    old: &mut Vec<T>,
    now: &[T],
    head: usize,
    whole: &dyn Json,
    alike: Alike<'_, T>,
    edits: &mut Edits,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let (old_rest, now_rest) = (old.get(head..).unwrap_or_default(), now.get(head..).unwrap_or_default());
    let backwards = old_rest.iter().rev().zip(now_rest.iter().rev());
    let tail = alike.meet(backwards, |step| edits.note(now.len() - 1 - step));
    let (lost, gained) = (old_rest.len() - tail, now_rest.len() - tail);
    if lost == 1 && gained == 1 {
        edits.note(head);
    } else {
        let mut pair = items::Pair { old, now, head, alike };
        emit::run(&mut pair, lost, gained, whole, edits, at, out);
    }
    edits.sort();
}

/// Gives up if what is left to say of the contents is too long.
#[cold]
#[inline(never)]
fn look_ahead<T: Node>(old: &[T], now: &[T], places: &[usize], at: &Path<'_>, out: &mut Patch) {
    let list = at.least();
    let pairs = places.iter().filter_map(|&place| old.get(place).zip(now.get(place)));
    out.give_up_at(pairs.map(|(old, now)| least_element(old, now, list)).sum(), floor(now));
}

/// A lower bound for the text of a list, better than the one that costs nothing.
fn floor<T: Node>(elements: &[T]) -> usize {
    1 + elements.iter().map(|element| element.floor() + 1).sum::<usize>()
}

/// The list is sent whole, if anything is sent.
#[cold]
#[inline(never)]
fn copy_whole<T: Node>(old: &mut Vec<T>, now: &[T], whole: &dyn Json, at: &Path<'_>, out: &mut Patch) {
    if !out.is_over() {
        if old.len() == now.len() && old.iter().zip(now).all(|(old, now)| old.same(now)) {
            return;
        }
        out.set(at, whole);
    }
    copy(old, now, at, out);
}

/// The list becomes `now`, element by element: nothing is written.
#[cold]
#[inline(never)]
fn copy<T: Node>(old: &mut Vec<T>, now: &[T], at: &Path<'_>, out: &mut Patch) {
    let was_over = out.pause();
    old.truncate(now.len());
    for (index, (old, now)) in old.iter_mut().zip(now).enumerate() {
        old.sync(now, &at.index(index), out);
    }
    out.resume(was_over);
    old.extend(now.iter().skip(old.len()).cloned());
}
