//! The table through which the engine works on elements of any type.

use super::super::Node;
use super::super::engine::{Json, Patch, Path, Token};
use super::{Alike, Edits, copy, floor};

/// The middle of two lists, between what is the same at both ends. Indices count from its start.
pub(super) trait Items {
    fn alike(&self, old: usize, now: usize) -> bool;
    /// How many elements from there on are alike in step, at most `limit`; those with other contents are noted.
    fn in_step(&self, old: usize, now: usize, limit: usize, edits: &mut Edits) -> usize;
    fn is_keyed(&self) -> bool;
    fn old_token(&self, old: usize, full: bool) -> u64;
    fn now_token(&self, now: usize, full: bool) -> u64;
    fn json(&self, now: usize) -> Option<&dyn Json>;
    /// How many elements stand before the middle.
    fn head(&self) -> usize;
    /// How long the old list is now.
    fn length(&self) -> usize;
    fn remove(&mut self, from: usize, to: usize);
    fn insert(&mut self, at: usize, now: usize);
    /// An element that is not needed any more becomes a new one.
    fn assign(&mut self, at: usize, now: usize);
    /// The first `by` elements from `start` on go to the end at `end`.
    fn rotate(&mut self, start: usize, by: usize, end: usize);
    fn swap(&mut self, one: usize, other: usize);
    /// Takes over the whole new list. Nothing is written.
    fn copy(&mut self, at: &Path<'_>, out: &mut Patch);
    /// A lower bound for the text of the whole new list.
    fn floor(&self) -> usize;
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

    fn in_step(&self, old: usize, now: usize, limit: usize, edits: &mut Edits) -> usize {
        let first = self.head + now;
        let olds = self.old.get(self.head + old..).unwrap_or_default();
        let nows = self.now.get(first..).unwrap_or_default();
        self.alike.meet(olds.iter().zip(nows).take(limit), |step| edits.note(first + step))
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

    fn length(&self) -> usize {
        self.old.len()
    }

    fn remove(&mut self, from: usize, to: usize) {
        let (from, to) = (self.head + from, self.head + to);
        if from < to && to <= self.old.len() {
            self.old.drain(from..to);
        }
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

    fn copy(&mut self, at: &Path<'_>, out: &mut Patch) {
        copy(self.old, self.now, at, out);
    }

    fn floor(&self) -> usize {
        floor(self.now)
    }
}
