//! Lists whose elements come, go and move, and sets, which are written as lists.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::super::Node;
use super::super::apply::Target;
use super::super::engine::{Out, Patch, Path, Token};

/// Appends an array.
pub(super) fn write<'a, T: Node>(elements: impl Iterator<Item = &'a T>, out: &mut Out) {
    out.byte(b'[');
    let mut separate = false;
    for element in elements {
        if separate {
            out.byte(b',');
        }
        separate = true;
        if out.is_full() {
            out.raw("null");
            break;
        }
        element.write(out);
    }
    out.byte(b']');
}

/// An index as RFC 6901 writes it: no sign, no leading zero.
pub(super) fn index(segment: &str) -> Option<usize> {
    let is_plain = segment.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain || (segment.len() > 1 && segment.starts_with('0')) {
        return None;
    }
    segment.parse().ok()
}

pub(super) fn token<'a, T: Node>(length: usize, elements: impl Iterator<Item = &'a T>, token: &mut Token) {
    token.number(length as u64);
    let take = if token.is_full() { usize::MAX } else { 4 };
    elements.take(take).for_each(|element| element.token(token));
}

impl<T: Node> Node for Vec<T> {
    const MIN: usize = 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self.len() == now.len() && self.iter().zip(now).all(|(old, now)| old.same(now))
    }

    fn write(&self, out: &mut Out) {
        write(self.iter(), out);
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        if at.is_deep() {
            out.whole(self, now, at);
            return;
        }
        let mark = out.mark();
        let kept = self.len().min(now.len());
        for gone in (kept..self.len()).rev() {
            out.remove(&at.index(gone));
        }
        self.truncate(kept);
        for new in now.iter().skip(kept) {
            out.insert(&at.end(), new);
            self.push(new.clone());
        }
        for (index, (old, now)) in self.iter_mut().zip(now).enumerate() {
            old.sync(now, &at.index(index), out);
        }
        out.settle(mark, at, now);
    }

    fn floor(&self) -> usize {
        1 + (self.len() * (1 + T::MIN)).max(1)
    }

    fn token(&self, into: &mut Token) {
        token(self.len(), self.iter(), into);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        let element = self.get_mut(index(segment)?)?;
        Some(element)
    }
}

impl<T: Node> Node for VecDeque<T> {
    const MIN: usize = 2;

    fn same(&self, now: &Self) -> bool {
        self.len() == now.len() && self.iter().zip(now).all(|(old, now)| old.same(now))
    }

    fn write(&self, out: &mut Out) {
        write(self.iter(), out);
    }

    fn floor(&self) -> usize {
        1 + (self.len() * (1 + T::MIN)).max(1)
    }

    fn token(&self, into: &mut Token) {
        token(self.len(), self.iter(), into);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        let element = self.get_mut(index(segment)?)?;
        Some(element)
    }
}

impl<T: Node + Ord> Node for BTreeSet<T> {
    const MIN: usize = 2;

    fn same(&self, now: &Self) -> bool {
        self.len() == now.len() && self.iter().zip(now).all(|(old, now)| old.same(now))
    }

    fn write(&self, out: &mut Out) {
        write(self.iter(), out);
    }
}

impl<T: Node + Eq + Hash, H: BuildHasher + Default + Clone + 'static> Node for HashSet<T, H> {
    const MIN: usize = 2;

    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn write(&self, out: &mut Out) {
        write(self.iter(), out);
    }
}
