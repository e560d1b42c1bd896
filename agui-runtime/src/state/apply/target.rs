//! A place in a typed state that operations reach.

use std::any::Any;

use serde_json::Value;

use super::super::Node;
use super::Fault;

/// A part of a state, without its type.
pub trait Target {
    /// The part of this part that is at `segment` and is there now.
    fn part(&mut self, segment: &str) -> Option<&mut dyn Target>;

    /// The part that is at `segment`, or was before it became what is left out.
    fn place(&mut self, segment: &str) -> Option<&mut dyn Target>;

    /// Changes what is directly below, where that needs no reading anew, and says how that is undone.
    fn change(&mut self, edit: Edit<'_>) -> Option<Result<Undo, Fault>>;

    /// Becomes what a JSON value says; stays as it is when that is no value of the type.
    ///
    /// # Errors
    /// serde's reason.
    fn read(&mut self, value: Value) -> Result<Undo, Fault>;

    /// Goes back, as soon as everything after it has.
    fn undo(&mut self, undo: Undo);

    /// The JSON value of this part.
    ///
    /// # Errors
    /// When it has no JSON form.
    fn value(&self) -> Result<Value, Fault>;
}

/// A change of the structure of a list or map. Segments are unescaped; `-` is the end of a list.
#[derive(Debug)]
pub enum Edit<'a> {
    /// Puts a value at a segment: before the element there, or as the member.
    Add(&'a str, &'a mut Value),
    /// Takes what is at a segment away.
    Remove(&'a str),
    /// Moves an element of a list, both segments as in the operation.
    Move(&'a str, &'a str),
    /// Goes back. How that is undone is not asked.
    Back(Undo),
}

/// The way back from one change of a part. Values are kept as they were, for JSON does not show all of them.
#[derive(Debug)]
pub enum Undo {
    /// The part was another value of its type.
    Was(Box<dyn Any>),
    /// An element was here.
    Element(usize, Box<dyn Any>),
    /// No element was here.
    NoElement(usize),
    /// An element at the second place was at the first.
    Elsewhere(usize, usize),
    /// The member had this value, if it was there.
    Member(String, Option<Box<dyn Any>>),
}

impl Undo {
    /// What a member was, if it was there.
    pub(in super::super) fn member<T: 'static>(name: &str, was: Option<T>) -> Self {
        Self::Member(name.to_owned(), was.map(|was| Box::new(was) as Box<dyn Any>))
    }

    /// The value it kept, which is of the type of the place it was kept at.
    pub(in super::super) fn kept<T: 'static>(kept: Box<dyn Any>) -> Option<T> {
        kept.downcast().ok().map(|kept| *kept)
    }
}

impl<T: Node> Target for T {
    fn part(&mut self, segment: &str) -> Option<&mut dyn Target> {
        Node::child(self, segment, false)
    }

    fn place(&mut self, segment: &str) -> Option<&mut dyn Target> {
        let absent = Node::child(self, segment, false).is_none();
        Node::child(self, segment, absent)
    }

    fn change(&mut self, edit: Edit<'_>) -> Option<Result<Undo, Fault>> {
        Node::edit(self, edit)
    }

    fn read(&mut self, value: Value) -> Result<Undo, Fault> {
        let new = serde_json::from_value(value)?;
        Ok(Undo::Was(Box::new(std::mem::replace(self, new))))
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Was(kept) => {
                if let Some(was) = Undo::kept(kept) {
                    *self = was;
                }
            }
            undo => drop(Node::edit(self, Edit::Back(undo))),
        }
    }

    fn value(&self) -> Result<Value, Fault> {
        Ok(self.document()?)
    }
}
