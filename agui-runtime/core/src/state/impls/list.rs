//! Lists whose elements can be added, removed and moved.

use std::collections::VecDeque;

use super::super::StateNode;
use super::super::engine::{JsonOut, KeyFunctions, PatchText, StatePath, ValueToken, VisitedTypes};
use crate::state::engine::list::{ElementIdentity, sync};

/// Appends an array.
pub(super) fn write<'a, T: StateNode>(elements: impl Iterator<Item = &'a T>, out: &mut JsonOut) {
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

pub(super) fn token<'a, T: StateNode>(
    length: usize,
    elements: impl Iterator<Item = &'a T>,
    token: &mut ValueToken,
) {
    token.number(length as u64);
    let take = if token.is_full() { usize::MAX } else { 4 };
    elements.take(take).for_each(|element| element.token(token));
}

impl<T: StateNode> StateNode for Vec<T> {
    const MIN: usize = 2;

    fn is_open(types: &mut VisitedTypes) -> bool {
        types.list::<T>(T::is_open)
    }

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self.len() == now.len() && self.iter().zip(now).all(|(old, now)| old.same(now))
    }

    fn write(&self, out: &mut JsonOut) {
        write(self.iter(), out);
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        sync(self, now, now, ElementIdentity::of_type(), at, out);
    }

    fn floor(&self) -> usize {
        1 + (self.len() * (1 + T::MIN)).max(1)
    }

    fn token(&self, into: &mut ValueToken) {
        token(self.len(), self.iter(), into);
    }
}

#[diagnostic::do_not_recommend]
impl<T: StateNode> StateNode for VecDeque<T> {
    const MIN: usize = 2;

    fn is_open(types: &mut VisitedTypes) -> bool {
        types.list::<T>(T::is_open)
    }

    fn same(&self, now: &Self) -> bool {
        self.len() == now.len() && self.iter().zip(now).all(|(old, now)| old.same(now))
    }

    fn write(&self, out: &mut JsonOut) {
        write(self.iter(), out);
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        sync_deque(self, now, ElementIdentity::of_type(), at, out);
    }

    fn floor(&self) -> usize {
        1 + (self.len() * (1 + T::MIN)).max(1)
    }

    fn token(&self, into: &mut ValueToken) {
        token(self.len(), self.iter(), into);
    }
}

fn sync_deque<T: StateNode>(
    old: &mut VecDeque<T>,
    now: &VecDeque<T>,
    alike: ElementIdentity<'_, T>,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    if at.is_deep() {
        out.whole(old, now, at);
        return;
    }
    let mut list = Vec::from(std::mem::take(old));
    match now.as_slices() {
        (slice, []) => sync(&mut list, slice, now, alike, at, out),
        // The elements wrap around the end of the memory.
        _ => {
            let is_same = list.len() == now.len() && list.iter().zip(now).all(|(old, now)| old.same(now));
            if !is_same {
                let slice: Vec<T> = now.iter().cloned().collect();
                sync(&mut list, &slice, now, alike, at, out);
            }
        }
    }
    *old = VecDeque::from(list);
}

/// Works like [`StateNode::sync`] for a deque whose owner names the key field.
pub(super) fn sync_deque_named<T: StateNode>(
    old: &mut VecDeque<T>,
    now: &VecDeque<T>,
    key: KeyFunctions<'_, T>,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    sync_deque(old, now, ElementIdentity::Named(key), at, out);
}
