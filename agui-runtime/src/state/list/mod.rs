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
mod stay;
mod walk;

use super::Node;
use super::engine::{Json, Key, Patch, Path};

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
    let head = old.iter().zip(now).take_while(|(old, now)| alike.test(old, now)).count();
    let is_aligned = head == old.len() && head == now.len();
    if is_aligned && !alike.is_keyed() {
        return;
    }
    let mark = out.mark();
    if !is_aligned {
        arrange(old, now, whole, head, alike, at, out);
    }
    if alike.is_keyed() {
        for (index, (old, now)) in old.iter_mut().zip(now).enumerate() {
            old.sync(now, &at.index(index), out);
        }
    }
    out.settle(mark, at, whole);
}

#[inline(never)]
fn arrange<T: Node>(
    old: &mut Vec<T>,
    now: &[T],
    whole: &dyn Json,
    head: usize,
    alike: Alike<'_, T>,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let (old_rest, now_rest) = (old.get(head..).unwrap_or_default(), now.get(head..).unwrap_or_default());
    let backwards = old_rest.iter().rev().zip(now_rest.iter().rev());
    let tail = backwards.take_while(|(old, now)| alike.test(old, now)).count();
    let (lost, gained) = (old_rest.len() - tail, now_rest.len() - tail);
    if lost == 1 && gained == 1 {
        // Keyed contents are synced afterwards, all of them.
        if let (Some(old), Some(now), false) = (old.get_mut(head), now.get(head), alike.is_keyed()) {
            old.sync(now, &at.index(head), out);
        }
        return;
    }
    let mut pair = items::Pair { old, now, head, alike };
    emit::run(&mut pair, lost, gained, whole, at, out);
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
