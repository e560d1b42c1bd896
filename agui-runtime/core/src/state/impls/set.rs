//! Sets, which are written as arrays.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, Hash};

use super::super::StateNode;
use super::super::engine::{JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};
use super::list;

#[diagnostic::do_not_recommend]
impl<T: StateNode + Ord> StateNode for BTreeSet<T> {
    const MIN: usize = 2;

    fn is_open(types: &mut VisitedTypes) -> bool {
        types.collection(T::is_open)
    }

    fn same(&self, now: &Self) -> bool {
        self.len() == now.len() && self.iter().zip(now).all(|(old, now)| old.same(now))
    }

    fn write(&self, out: &mut JsonOut) {
        list::write(self.iter(), out);
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        if self.same(now) {
            return;
        }
        if at.is_deep() {
            out.whole(self, now, at);
            return;
        }
        let mark = out.mark();
        // Both are sorted, so no element moves.
        let (mut olds, mut nows) = (self.iter().peekable(), now.iter().peekable());
        let mut place = 0;
        let mut length = self.len();
        loop {
            match (olds.peek(), nows.peek()) {
                (Some(old), Some(now)) if old.same(now) => {
                    olds.next();
                    nows.next();
                    place += 1;
                }
                (Some(old), now) if now.is_none_or(|now| old <= now) => {
                    out.remove(&at.index(place));
                    olds.next();
                    length -= 1;
                }
                (_, Some(now)) => {
                    out.insert(&if place == length { at.end() } else { at.index(place) }, *now);
                    nows.next();
                    place += 1;
                    length += 1;
                }
                (_, None) => break,
            }
        }
        self.clone_from(now);
        out.settle(mark, at, now);
    }

    fn floor(&self) -> usize {
        1 + (self.len() * (1 + T::MIN)).max(1)
    }

    fn token(&self, into: &mut ValueToken) {
        list::token(self.len(), self.iter(), into);
    }
}

/// A set without an order, so any changed element sends the whole set.
#[diagnostic::do_not_recommend]
impl<T: StateNode + Eq + Hash, H: BuildHasher + Default + Clone + 'static> StateNode for HashSet<T, H> {
    const MIN: usize = 2;

    fn is_open(types: &mut VisitedTypes) -> bool {
        types.collection(T::is_open)
    }

    fn same(&self, now: &Self) -> bool {
        // Elements that are equal in Rust may still differ in their JSON.
        self.len() == now.len() && self.iter().all(|old| now.get(old).is_some_and(|now| old.same(now)))
    }

    fn write(&self, out: &mut JsonOut) {
        list::write(self.iter(), out);
    }

    fn floor(&self) -> usize {
        1 + (self.len() * (1 + T::MIN)).max(1)
    }

    fn token(&self, token: &mut ValueToken) {
        token.number(self.len() as u64);
    }
}
