//! The table through which the engine works on elements of any type.

use super::super::Node;
use super::super::engine::{Json, Patch, Path, Token, least_element};
use super::{Alike, Edits};

/// The middle of two lists, behind what is the same at their start. Indices count from there; places from the start of
/// the whole list.
///
/// All of this is compiled once for each type of element, so it is written in plain loops: a chain of iterators is a dozen
/// functions for the compiler to see through.
pub(super) trait Items {
    fn alike(&self, old: usize, now: usize) -> bool;
    /// How many of `length` elements from there on are alike in step, from the first on or back from the last. The places
    /// of those with other contents are noted.
    fn in_step(&self, old: usize, now: usize, length: usize, way: Way, edits: &mut Edits) -> usize;
    fn is_keyed(&self) -> bool;
    fn old_token(&self, old: usize, full: bool) -> u64;
    fn now_token(&self, now: usize, full: bool) -> u64;
    fn json(&self, now: usize) -> Option<&dyn Json>;
    /// How many elements stand before the middle.
    fn head(&self) -> usize;
    fn start_at(&mut self, head: usize);
    /// How long the old list is now.
    fn length(&self) -> usize;
    fn remove(&mut self, from: usize, to: usize);
    fn reserve(&mut self, more: usize);
    fn insert(&mut self, at: usize, now: usize);
    /// An element that is not needed any more becomes a new one.
    fn assign(&mut self, at: usize, now: usize);
    /// The first `by` elements from `start` on go to the end at `end`.
    fn rotate(&mut self, start: usize, by: usize, end: usize);
    fn swap(&mut self, one: usize, other: usize);
    /// Brings the element at a place to the one that shall be there.
    fn sync(&mut self, place: usize, at: &Path<'_>, out: &mut Patch);
    /// A lower bound for the operations that do so.
    fn least(&self, place: usize, list: usize) -> usize;
    /// A lower bound for the text of the whole new list, better than the one that costs nothing.
    fn floor(&self) -> usize;
}

/// In which direction elements are compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    Forth,
    Back,
}

impl Way {
    /// The first index of so many, and what brings it to the next when it is added and wraps.
    fn over(self, length: usize) -> (usize, usize) {
        match self {
            Self::Forth => (0, 1),
            Self::Back => (length.wrapping_sub(1), usize::MAX),
        }
    }
}

/// Where an element of the new middle comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    Old(usize),
    Now(usize),
}

pub(super) struct Pair<'a, 'k, T> {
    pub(super) old: &'a mut Vec<T>,
    pub(super) now: &'a [T],
    pub(super) head: usize,
    pub(super) alike: Alike<'k, T>,
}

impl<T: Node> Pair<'_, '_, T> {
    fn token(&self, element: Option<&T>, full: bool) -> u64 {
        let mut token = Token::new(full);
        if let Some(element) = element {
            match self.alike {
                Alike::Same => element.token(&mut token),
                Alike::Own if T::KEYED => element.key_token(&mut token),
                Alike::Own => element.token(&mut token),
                Alike::Named(key) => (key.token)(element, &mut token),
            }
        }
        token.finish()
    }
}

impl<T: Node> Items for Pair<'_, '_, T> {
    fn alike(&self, old: usize, now: usize) -> bool {
        match (self.old.get(self.head + old), self.now.get(self.head + now)) {
            (Some(old), Some(now)) => self.alike.test(old, now),
            _ => false,
        }
    }

    fn in_step(&self, old: usize, now: usize, length: usize, way: Way, edits: &mut Edits) -> usize {
        let (old, now) = (self.head + old, self.head + now);
        let olds = self.old.get(old..old + length).unwrap_or_default();
        let nows = self.now.get(now..now + length).unwrap_or_default();
        let (start, stride) = way.over(length);
        let mut index = start;
        loop {
            // Nothing but the comparison in the inner loop: nearly all are the same.
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

    fn json(&self, now: usize) -> Option<&dyn Json> {
        let element = self.now.get(self.head + now)?;
        Some(element)
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

    fn sync(&mut self, place: usize, at: &Path<'_>, out: &mut Patch) {
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
