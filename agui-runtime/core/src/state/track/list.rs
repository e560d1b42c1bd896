//! `Tracked<Vec<T>>`.

use std::any::TypeId;
use std::ops::{Index, IndexMut};

use super::super::StateNode;
use super::super::engine::{MovedElement, PatchText, StatePath, ValueToken};
use super::tracked::{Log, Tracked, TrackedCollection};

/// The number of entries up to which changes are recorded; beyond that, comparing the whole list is cheaper.
const ENTRIES: usize = 64;

/// The changes to a list since the last flush.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct ListLog {
    steps: Vec<ListStep>,
    /// The current indices of added elements, in step order.
    arrived: Vec<usize>,
    /// The current indices of other elements that were borrowed mutably.
    touched: Vec<usize>,
    is_given_up: bool,
}

#[derive(Debug, Clone, Copy)]
enum ListStep {
    /// An element was added: its index, and its number among the added ones.
    Insert(usize, usize),
    Remove(usize),
    Move(usize, usize),
}

impl Log for ListLog {
    fn clear(&mut self) {
        self.steps.clear();
        self.arrived.clear();
        self.touched.clear();
        self.is_given_up = false;
    }

    fn give_up(&mut self) {
        self.is_given_up = true;
    }

    fn is_given_up(&self) -> bool {
        self.is_given_up
    }
}

impl ListLog {
    fn step(&mut self, step: ListStep) {
        if self.steps.len() == ENTRIES {
            self.give_up();
        } else {
            self.steps.push(step);
        }
    }

    fn shift(&mut self, shift: impl Fn(usize) -> usize) {
        for place in self.arrived.iter_mut().chain(&mut self.touched) {
            *place = shift(*place);
        }
    }

    fn inserted(&mut self, at: usize) {
        if self.is_given_up {
            return;
        }
        self.shift(|place| place + usize::from(place >= at));
        self.step(ListStep::Insert(at, self.arrived.len()));
        self.arrived.push(at);
    }

    fn removed(&mut self, at: usize) {
        if self.is_given_up {
            return;
        }
        if self.arrived.contains(&at) {
            // An element that was added and removed leaves no step, if nothing else happened in between.
            match self.steps.last() {
                Some(ListStep::Insert(place, _)) if *place == at => {
                    self.steps.pop();
                    self.arrived.pop();
                }
                _ => return self.give_up(),
            }
        } else {
            self.touched.retain(|place| *place != at);
            self.step(ListStep::Remove(at));
        }
        self.shift(|place| place - usize::from(place > at));
    }

    fn moved(&mut self, from: usize, to: usize) {
        if self.is_given_up || from == to {
            return;
        }
        self.shift(|place| match place {
            _ if place == from => to,
            _ if from < place && place <= to => place - 1,
            _ if to <= place && place < from => place + 1,
            _ => place,
        });
        self.step(ListStep::Move(from, to));
    }

    fn touched(&mut self, at: usize) {
        if self.is_given_up || self.arrived.contains(&at) || self.touched.contains(&at) {
            return;
        }
        if self.touched.len() == ENTRIES {
            self.give_up();
        } else {
            self.touched.push(at);
        }
    }
}

fn moved<T: StateNode>(element: &T, place: usize) -> MovedElement {
    let mut key = ValueToken::new(true);
    element.key_token(&mut key);
    MovedElement { element: TypeId::of::<T>(), key: key.finish(), place }
}

impl<T: StateNode> TrackedCollection for Vec<T> {
    type Log = ListLog;

    fn replay(&mut self, now: &Self, log: &ListLog, at: &StatePath<'_>, out: &mut PatchText) -> Option<()> {
        let records = T::KEYED && out.records_moves(TypeId::of::<T>(), log.steps.len());
        for step in &log.steps {
            match *step {
                ListStep::Insert(place, number) => {
                    let arrived = now.get(*log.arrived.get(number)?)?;
                    let is_last = place == self.len();
                    if place > self.len() {
                        return None;
                    }
                    if records {
                        out.insert_moved(&moved(arrived, place), arrived, is_last, at);
                    } else {
                        out.insert(&if is_last { at.end() } else { at.index(place) }, arrived);
                    }
                    self.insert(place, arrived.clone());
                }
                ListStep::Remove(place) => {
                    let gone = self.get(place)?;
                    if records {
                        out.remove_moved(&moved(gone, place), gone, at);
                    } else {
                        out.remove(&at.index(place));
                    }
                    self.remove(place);
                }
                ListStep::Move(from, to) => {
                    out.move_(&at.index(from), &at.index(to));
                    if from < to {
                        self.get_mut(from..=to)?.rotate_left(1);
                    } else {
                        self.get_mut(to..=from)?.rotate_right(1);
                    }
                }
            }
        }
        for &place in &log.touched {
            self.get_mut(place)?.sync(now.get(place)?, &at.index(place), out);
        }
        (self.len() == now.len()).then_some(())
    }
}

impl<T: StateNode> Tracked<Vec<T>> {
    /// Appends an element.
    pub fn push(&mut self, element: T) {
        let end = self.inner.len();
        self.record().inserted(end);
        self.inner.push(element);
    }

    /// Removes and returns the last element.
    pub fn pop(&mut self) -> Option<T> {
        let element = self.inner.pop()?;
        let end = self.inner.len();
        self.record().removed(end);
        Some(element)
    }

    /// Inserts an element before the one at `index`, or at the end.
    ///
    /// # Panics
    /// If `index` is greater than the length, as `Vec` does.
    pub fn insert(&mut self, index: usize, element: T) {
        self.inner.insert(index, element);
        self.record().inserted(index);
    }

    /// Removes and returns the element at `index`.
    ///
    /// # Panics
    /// If `index` is out of bounds, as `Vec` does.
    pub fn remove(&mut self, index: usize) -> T {
        let element = self.inner.remove(index);
        self.record().removed(index);
        element
    }

    /// Moves an element to another index; the elements between shift by one. Returns false if one index does not exist.
    ///
    /// ```
    /// let mut list = agui_runtime::state::Tracked::new(vec![1, 2, 3]);
    /// assert!(list.relocate(2, 0));
    /// assert_eq!(*list, [3, 1, 2]);
    /// assert!(!list.relocate(0, 3));
    /// ```
    pub fn relocate(&mut self, from: usize, to: usize) -> bool {
        let length = self.inner.len();
        if from >= length || to >= length {
            return false;
        }
        let element = self.inner.remove(from);
        self.inner.insert(to, element);
        self.record().moved(from, to);
        true
    }

    /// Shortens the list.
    pub fn truncate(&mut self, length: usize) {
        for gone in (length..self.inner.len()).rev() {
            self.record().removed(gone);
        }
        self.inner.truncate(length);
    }

    /// Returns an element for changes.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.inner.len() {
            self.record().touched(index);
        }
        self.inner.get_mut(index)
    }

    /// Returns the last element for changes.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        let last = self.inner.len().checked_sub(1)?;
        self.get_mut(last)
    }
}

impl<T: StateNode> Index<usize> for Tracked<Vec<T>> {
    type Output = T;

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "panics where the list does")]
    fn index(&self, index: usize) -> &T {
        &self.inner[index]
    }
}

impl<T: StateNode> IndexMut<usize> for Tracked<Vec<T>> {
    #[allow(clippy::indexing_slicing, reason = "panics where the list does")]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.record().touched(index);
        &mut self.inner[index]
    }
}

impl<T: StateNode> Extend<T> for Tracked<Vec<T>> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T: StateNode> FromIterator<T> for Tracked<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::new(elements.into_iter().collect())
    }
}

impl<'a, T: StateNode> IntoIterator for &'a Tracked<Vec<T>> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.inner.iter()
    }
}
