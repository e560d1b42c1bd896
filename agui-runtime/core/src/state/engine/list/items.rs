//! The table through which the engine works on elements of any type.

use std::any::TypeId;

use super::super::{PatchText, StatePath, ValueToken, WriteJson, least_element};
use super::{EditedPlaces, ElementIdentity};
use crate::state::engine::StateNode;

/// The middle of two lists, after their common start. Indices count from the start of the middle, places from the start of the
/// whole list.
///
/// The implementation is compiled once for each element type, so it uses plain loops: an iterator chain would be a dozen functions
/// for the compiler to optimize.
pub(super) trait ListMiddle {
    fn alike(&self, old: usize, now: usize) -> bool;
    /// Returns the number of consecutive elements, at most `length`, that match in step: from the first one on, or from the last
    /// one back. Records the places where matching elements have different contents.
    fn in_step(
        &self,
        old: usize,
        now: usize,
        length: usize,
        way: CompareDirection,
        edits: &mut EditedPlaces,
    ) -> usize;
    fn is_keyed(&self) -> bool;
    fn old_token(&self, old: usize, full: bool) -> u64;
    fn now_token(&self, now: usize, full: bool) -> u64;
    fn json(&self, now: usize) -> Option<&dyn WriteJson>;
    fn old_json(&self, old: usize) -> Option<&dyn WriteJson>;
    /// Returns the element type.
    fn element(&self) -> TypeId;
    /// Returns both elements at a place, and their tokens, if they have different keys.
    fn renewed(&self, place: usize) -> Option<[(&dyn WriteJson, u64); 2]>;
    /// Returns the number of elements before the middle.
    fn head(&self) -> usize;
    fn start_at(&mut self, head: usize);
    /// Returns the old list's current length.
    fn length(&self) -> usize;
    fn remove(&mut self, from: usize, to: usize);
    fn reserve(&mut self, more: usize);
    fn insert(&mut self, at: usize, now: usize);
    /// Turns an element that is no longer needed into a new one.
    fn assign(&mut self, at: usize, now: usize);
    /// Moves the first `by` elements after `start` to the end of `start..end`.
    fn rotate(&mut self, start: usize, by: usize, end: usize);
    fn swap(&mut self, one: usize, other: usize);
    /// Turns the element at a place into the new list's element.
    fn sync(&mut self, place: usize, at: &StatePath<'_>, out: &mut PatchText);
    /// Returns a lower bound for the length of the operations that [`sync`](Self::sync) would write.
    fn least(&self, place: usize, list: usize) -> usize;
    /// Returns a lower bound for the new list's text, tighter than `StateNode::floor`.
    fn floor(&self) -> usize;
}

/// The direction in which elements are compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum CompareDirection {
    Forth,
    Back,
}

impl CompareDirection {
    /// Returns the first of `length` indices, and the wrapping step to the next.
    fn over(self, length: usize) -> (usize, usize) {
        match self {
            Self::Forth => (0, 1),
            Self::Back => (length.wrapping_sub(1), usize::MAX),
        }
    }
}

/// The source of an element in the new middle.
#[derive(Debug, Clone, Copy)]
pub(super) enum ElementSource {
    Old(usize),
    Now(usize),
}

pub(super) struct ListPair<'a, 'k, T> {
    pub(super) old: &'a mut Vec<T>,
    pub(super) now: &'a [T],
    pub(super) head: usize,
    pub(super) alike: ElementIdentity<'k, T>,
}

impl<T: StateNode> ListPair<'_, '_, T> {
    fn token(&self, element: Option<&T>, full: bool) -> u64 {
        let mut token = ValueToken::new(full);
        if let Some(element) = element {
            match self.alike {
                ElementIdentity::Same => element.token(&mut token),
                ElementIdentity::Own if T::KEYED => element.key_token(&mut token),
                ElementIdentity::Own => element.token(&mut token),
                ElementIdentity::Named(key) => (key.token)(element, &mut token),
            }
        }
        token.finish()
    }
}

impl<T: StateNode> ListMiddle for ListPair<'_, '_, T> {
    fn alike(&self, old: usize, now: usize) -> bool {
        match (self.old.get(self.head + old), self.now.get(self.head + now)) {
            (Some(old), Some(now)) => self.alike.test(old, now),
            _ => false,
        }
    }

    fn in_step(
        &self,
        old: usize,
        now: usize,
        length: usize,
        way: CompareDirection,
        edits: &mut EditedPlaces,
    ) -> usize {
        let (old, now) = (self.head + old, self.head + now);
        let olds = self.old.get(old..old + length).unwrap_or_default();
        let nows = self.now.get(now..now + length).unwrap_or_default();
        let (start, stride) = way.over(length);
        let mut index = start;
        loop {
            // The inner loop only compares, because nearly all elements are the same.
            while let (Some(old), Some(now)) = (olds.get(index), nows.get(index))
                && old.same(now)
            {
                index = index.wrapping_add(stride);
            }
            let (Some(was), Some(is)) = (olds.get(index), nows.get(index)) else { break };
            if !self.alike.keeps(was, is) {
                break;
            }
            edits.note(now + index);
            index = index.wrapping_add(stride);
        }
        index.wrapping_sub(start).wrapping_mul(stride)
    }

    fn is_keyed(&self) -> bool {
        self.alike.is_keyed()
    }

    fn old_token(&self, old: usize, full: bool) -> u64 {
        self.token(self.old.get(self.head + old), full)
    }

    fn now_token(&self, now: usize, full: bool) -> u64 {
        self.token(self.now.get(self.head + now), full)
    }

    fn json(&self, now: usize) -> Option<&dyn WriteJson> {
        let element = self.now.get(self.head + now)?;
        Some(element)
    }

    fn old_json(&self, old: usize) -> Option<&dyn WriteJson> {
        let element = self.old.get(self.head + old)?;
        Some(element)
    }

    fn element(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn renewed(&self, place: usize) -> Option<[(&dyn WriteJson, u64); 2]> {
        let (old, now) = (self.old.get(place)?, self.now.get(place)?);
        if self.alike.test(old, now) {
            return None;
        }
        Some([(old, self.token(Some(old), true)), (now, self.token(Some(now), true))])
    }

    fn head(&self) -> usize {
        self.head
    }

    fn start_at(&mut self, head: usize) {
        self.head = head;
    }

    fn length(&self) -> usize {
        self.old.len()
    }

    fn remove(&mut self, from: usize, to: usize) {
        let (from, to) = (self.head + from, self.head + to);
        if from < to && to <= self.old.len() {
            self.old.drain(from..to);
        }
    }

    fn reserve(&mut self, more: usize) {
        self.old.reserve(more);
    }

    fn insert(&mut self, at: usize, now: usize) {
        let at = self.head + at;
        if let Some(element) = self.now.get(self.head + now).filter(|_| at <= self.old.len()) {
            self.old.insert(at, element.clone());
        }
    }

    fn assign(&mut self, at: usize, now: usize) {
        if let (Some(old), Some(now)) = (self.old.get_mut(self.head + at), self.now.get(self.head + now)) {
            old.clone_from(now);
        }
    }

    fn rotate(&mut self, start: usize, by: usize, end: usize) {
        if let Some(between) = self.old.get_mut(self.head + start..self.head + end)
            && by <= between.len()
        {
            between.rotate_left(by);
        }
    }

    fn swap(&mut self, one: usize, other: usize) {
        let (one, other) = (self.head + one, self.head + other);
        if one.max(other) < self.old.len() {
            self.old.swap(one, other);
        }
    }

    fn sync(&mut self, place: usize, at: &StatePath<'_>, out: &mut PatchText) {
        if let (Some(old), Some(now)) = (self.old.get_mut(place), self.now.get(place)) {
            old.sync(now, &at.index(place), out);
        }
    }

    fn least(&self, place: usize, list: usize) -> usize {
        match (self.old.get(place), self.now.get(place)) {
            (Some(old), Some(now)) => least_element(old, now, list),
            _ => 0,
        }
    }

    fn floor(&self) -> usize {
        let mut floor = 1;
        for element in self.now {
            floor += element.floor() + 1;
        }
        floor
    }
}
