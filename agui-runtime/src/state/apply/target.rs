//! A place in a typed state that operations reach.

use serde_json::Value;

use super::super::Node;
use super::Fault;

/// A part of a state, without its type.
pub trait Target {
    /// The part of this part that is at `segment` and is there now.
    fn part(&mut self, segment: &str) -> Option<&mut dyn Target>;

    /// Changes what is directly below, where that needs no reading anew.
    fn change(&mut self, edit: Edit<'_>) -> Option<Result<(), Fault>>;

    /// Becomes what a JSON value says; stays as it is when that is no value of the type.
    ///
    /// # Errors
    /// serde's reason.
    fn read(&mut self, value: Value) -> Result<(), Fault>;

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
    /// Takes what is at a segment away; its value is put into the second part when that is asked for.
    Remove(&'a str, Option<&'a mut Value>),
    /// Moves an element of a list, both segments as in the operation.
    Move(&'a str, &'a str),
}

impl<T: Node> Target for T {
    fn part(&mut self, segment: &str) -> Option<&mut dyn Target> {
        Node::child(self, segment)
    }

    fn change(&mut self, edit: Edit<'_>) -> Option<Result<(), Fault>> {
        Node::edit(self, edit)
    }

    fn read(&mut self, value: Value) -> Result<(), Fault> {
        *self = serde_json::from_value(value)?;
        Ok(())
    }

    fn value(&self) -> Result<Value, Fault> {
        Ok(self.document()?)
    }
}
