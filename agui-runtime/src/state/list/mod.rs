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
use super::engine::{Json, Key, Patch, Path};
use items::{Items, Pair, Way};

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
    let lengths = (old.len(), now.len());
    bring(&mut Pair { old, now, head: 0, alike }, lengths, whole, at, out);
}

/// Brings a list to the new one.
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
    for (said, &place) in edits.0.iter().enumerate() {
        if out.looks_ahead() {
            look_ahead(items, edits.0.get(said..).unwrap_or_default(), at, out);
        }
        items.sync(place, at, out);
    }
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

/// Brings the `nows` elements of the middle of the new list to where they belong, but for their contents.
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

/// Gives up if what is left to say of the contents is too long.
#[cold]
fn look_ahead(items: &dyn Items, places: &[usize], at: &Path<'_>, out: &mut Patch) {
    let list = at.least();
    out.give_up_at(places.iter().map(|&place| items.least(place, list)).sum(), items.floor());
}

/// The list becomes the new one, of `nows` elements, place by place: nothing is written.
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
