//! Structural operations applied to typed lists.

use std::collections::VecDeque;

use super::super::Node;
use super::super::apply::{Edit, Fault, Undo};
use super::list;

/// A place an element can go to: before another, or the end.
fn gap(segment: &str, length: usize) -> Result<usize, Fault> {
    if segment == "-" {
        return Ok(length);
    }
    let index = list::index(segment).ok_or_else(|| Fault::Index(segment.to_owned()))?;
    if index <= length { Ok(index) } else { Err(Fault::Missing) }
}

fn place(segment: &str, length: usize) -> Result<usize, Fault> {
    let index = list::index(segment).ok_or_else(|| Fault::Index(segment.to_owned()))?;
    if index < length { Ok(index) } else { Err(Fault::Missing) }
}

/// A list that elements are put into and taken out of.
pub(super) trait Splice<T> {
    fn length(&self) -> usize;
    fn put(&mut self, place: usize, element: T);
    fn take(&mut self, place: usize) -> Option<T>;
}

impl<T> Splice<T> for Vec<T> {
    fn length(&self) -> usize {
        self.len()
    }

    fn put(&mut self, place: usize, element: T) {
        self.insert(place, element);
    }

    fn take(&mut self, place: usize) -> Option<T> {
        (place < self.len()).then(|| self.remove(place))
    }
}

impl<T> Splice<T> for VecDeque<T> {
    fn length(&self) -> usize {
        self.len()
    }

    fn put(&mut self, place: usize, element: T) {
        self.insert(place, element);
    }

    fn take(&mut self, place: usize) -> Option<T> {
        self.remove(place)
    }
}

pub(super) fn splice<T: Node>(list: &mut impl Splice<T>, edit: Edit<'_>) -> Result<Undo, Fault> {
    match edit {
        Edit::Add(segment, value) => {
            let gap = gap(segment, list.length())?;
            list.put(gap, serde_json::from_value(value.take())?);
            Ok(Undo::NoElement(gap))
        }
        Edit::Remove(segment) => {
            let place = place(segment, list.length())?;
            let element = list.take(place).ok_or(Fault::Missing)?;
            Ok(Undo::Element(place, Box::new(element)))
        }
        Edit::Move(from, to) => {
            let from = place(from, list.length())?;
            // The place is one of the list without the element.
            let to = gap(to, list.length() - 1)?;
            let element = list.take(from).ok_or(Fault::Missing)?;
            list.put(to, element);
            Ok(Undo::Elsewhere(from, to))
        }
        Edit::Back(undo) => back(list, undo).ok_or(Fault::Missing),
    }
}

fn back<T: Node>(list: &mut impl Splice<T>, undo: Undo) -> Option<Undo> {
    match undo {
        Undo::NoElement(place) => list.take(place).map(|element| Undo::Element(place, Box::new(element))),
        Undo::Element(place, kept) => {
            list.put(place, Undo::kept(kept)?);
            Some(Undo::NoElement(place))
        }
        Undo::Elsewhere(from, to) => {
            let element = list.take(to)?;
            list.put(from, element);
            Some(Undo::Elsewhere(to, from))
        }
        Undo::Was(_) | Undo::Member(..) => None,
    }
}
