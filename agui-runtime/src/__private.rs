//! What generated code names. Not part of the public interface: it may change in any release.

use std::any::TypeId;
use std::collections::VecDeque;
use std::sync::Arc;

pub use {inventory, schemars, serde, serde_json};

pub use crate::agent::{AgentReturn, StrictReturn, finish, finished};
pub use crate::manifest::hook::AgentEntry;
pub use crate::manifest::{AgentSource, EventSource, ToolSource, TypeSource};
#[cfg(feature = "server")]
pub use crate::server::{block_on, init};
pub use crate::state::Derived;
pub use crate::tool::{Outcome, Probe, ViaResult, ViaValue, answer};
pub use crate::{
    Agent, Backend, CustomEvent, EventOf, Finished, Frontend, Inject, Injectable, Input, Invoke, MapKey, Run,
    Scope, State, Stop, Tool, ToolOf,
};

/// Asks of a field what `#[derive(State)]` needs of it, where the field is written.
pub fn part<T: State>() {}

/// The same of a field with `#[state(key = "…")]`.
pub fn list<T: List>() {}

/// A sequence whose elements can come, go and move.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "`key = \"…\"` tells the elements of a list apart",
    note = "write it on a `Vec` or `VecDeque`, or just `key` on the field of the element that tells it apart"
)]
pub trait List {}

impl<T> List for Vec<T> {}
impl<T> List for VecDeque<T> {}
impl<L: List> List for Option<L> {}
impl<L: List + ?Sized> List for Box<L> {}
impl<L: List + ?Sized> List for Arc<L> {}

/// The state of an agent, unless it is `()`, which means none.
#[must_use]
pub fn state_source<S: State>() -> Option<TypeSource> {
    (TypeId::of::<S>() != TypeId::of::<()>()).then(TypeSource::of::<S>)
}

/// Whether no name before is this one. Asked while the user's crate compiles.
#[must_use]
pub const fn is_new(name: &str, before: &[&str]) -> bool {
    let mut rest = before;
    while let [other, tail @ ..] = rest {
        if is_same(name.as_bytes(), other.as_bytes()) {
            return false;
        }
        rest = tail;
    }
    true
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, a_rest @ ..], [b, b_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        one = a_rest;
        other = b_rest;
    }
    one.is_empty() && other.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(is_new("price", &[]));
        assert!(is_new("price", &["prices", "pric", ""]));
        assert!(!is_new("price", &["order", "price"]));
    }

    #[test]
    fn no_state_has_no_source() {
        assert!(state_source::<()>().is_none());
        assert!(state_source::<u8>().is_some());
    }
}
