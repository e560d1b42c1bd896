//! A patch's undo steps.

use serde_json::Value;

use super::path::{IndexNotation, container, find};
use crate::protocol::JsonPointer;

/// One operation's undo step, valid after every later operation has been undone.
#[derive(Debug)]
pub(super) enum UndoStep<'p> {
    /// Restores the whole document.
    Root(Value),
    /// Restores a member's or an element's value, or a removed member.
    Put(&'p JsonPointer, Value),
    /// Restores a removed element.
    Insert(&'p JsonPointer, usize, Value),
    /// Removes an added member.
    Remove(&'p JsonPointer),
    /// Removes an added element.
    Cut(&'p JsonPointer, usize),
    /// Moves a value from the first place back to the second.
    Back(Box<(Self, Self)>),
}

impl<'p> UndoStep<'p> {
    pub(super) fn put(pointer: &'p JsonPointer, old: Value) -> Self {
        if pointer.as_str().is_empty() { Self::Root(old) } else { Self::Put(pointer, old) }
    }

    /// Sets the value to restore.
    pub(super) fn with(self, value: Value) -> Self {
        match self {
            Self::Root(_) => Self::Root(value),
            Self::Put(pointer, _) => Self::Put(pointer, value),
            Self::Insert(pointer, at, _) => Self::Insert(pointer, at, value),
            undo => undo,
        }
    }

    /// Reverts the operation, and returns the value that was replaced.
    pub(super) fn revert(self, document: &mut Value) -> Value {
        let instead = match self {
            Self::Root(value) => Some(std::mem::replace(document, value)),
            Self::Put(pointer, value) => match container(document, pointer, IndexNotation::Lenient) {
                Ok(Some((Value::Object(members), key))) => members.insert(key.into_owned(), value),
                _ => find(document, pointer, IndexNotation::Lenient)
                    .map(|place| std::mem::replace(place, value)),
            },
            Self::Insert(pointer, at, value) => {
                if let Ok(Some((Value::Array(elements), _))) =
                    container(document, pointer, IndexNotation::Lenient)
                {
                    elements.insert(at.min(elements.len()), value);
                }
                None
            }
            Self::Remove(pointer) => match container(document, pointer, IndexNotation::Lenient) {
                Ok(Some((Value::Object(members), key))) => members.remove(key.as_ref()),
                _ => None,
            },
            Self::Cut(pointer, at) => match container(document, pointer, IndexNotation::Lenient) {
                Ok(Some((Value::Array(elements), _))) if at < elements.len() => Some(elements.remove(at)),
                _ => None,
            },
            Self::Back(way) => {
                let (placed, taken) = *way;
                let value = placed.revert(document);
                Some(taken.with(value).revert(document))
            }
        };
        instead.unwrap_or_default()
    }
}
