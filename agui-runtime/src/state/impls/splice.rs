//! Structural operations applied to typed lists.

use std::collections::VecDeque;

use super::super::Node;
use super::super::apply::{Edit, Fault};
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

pub(super) fn vec<T: Node>(list: &mut Vec<T>, edit: Edit<'_>) -> Result<(), Fault> {
    match edit {
        Edit::Add(segment, value) => {
            let gap = gap(segment, list.len())?;
            list.insert(gap, serde_json::from_value(value.take())?);
        }
        Edit::Remove(segment, taken) => {
            let place = place(segment, list.len())?;
            if let (Some(taken), Some(element)) = (taken, list.get(place)) {
                *taken = element.document()?;
            }
            list.remove(place);
        }
        Edit::Move(from, to) => {
            let from = place(from, list.len())?;
            // The place is one of the list without the element.
            let to = gap(to, list.len() - 1)?;
            let element = list.remove(from);
            list.insert(to, element);
        }
    }
    Ok(())
}

pub(super) fn deque<T: Node>(list: &mut VecDeque<T>, edit: Edit<'_>) -> Result<(), Fault> {
    let mut vec = Vec::from(std::mem::take(list));
    let result = self::vec(&mut vec, edit);
    *list = VecDeque::from(vec);
    result
}
