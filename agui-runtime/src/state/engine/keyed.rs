//! Lists whose elements are told apart by a field that the owner of the list names.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::super::{Node, impls, list};
use super::{Patch, Path, Token};

/// A sequence whose elements can come, go and move: what `#[state(key = "…")]` stands at.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "`key = \"…\"` tells the elements of a list apart",
    note = "write it on a `Vec` or `VecDeque`, or just `key` on the field of the element that tells it apart"
)]
pub trait List: Node {
    /// Its elements.
    type Item: Node;

    /// [`Node::sync`], with elements told apart by `key`.
    fn sync_keyed(&mut self, now: &Self, key: Key<'_, Self::Item>, at: &Path<'_>, out: &mut Patch);
}

/// How to tell elements apart.
pub struct Key<'k, T> {
    pub(crate) same: &'k dyn Fn(&T, &T) -> bool,
    pub(crate) token: &'k dyn Fn(&T, &mut Token),
}

impl<T> Clone for Key<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<'_, T> {}

impl<T> std::fmt::Debug for Key<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

/// [`Node::sync`] of a list with `#[state(key = "…")]`.
pub fn keyed<L: List>(
    old: &mut L,
    now: &L,
    same: &dyn Fn(&L::Item, &L::Item) -> bool,
    token: &dyn Fn(&L::Item, &mut Token),
    at: &Path<'_>,
    out: &mut Patch,
) {
    old.sync_keyed(now, Key { same, token }, at, out);
}

impl<T: Node> List for Vec<T> {
    type Item = T;

    fn sync_keyed(&mut self, now: &Self, key: Key<'_, T>, at: &Path<'_>, out: &mut Patch) {
        list::sync_named(self, now, key, at, out);
    }
}

impl<T: Node> List for VecDeque<T> {
    type Item = T;

    fn sync_keyed(&mut self, now: &Self, key: Key<'_, T>, at: &Path<'_>, out: &mut Patch) {
        impls::sync_deque_named(self, now, key, at, out);
    }
}

impl<L: List> List for Option<L> {
    type Item = L::Item;

    fn sync_keyed(&mut self, now: &Self, key: Key<'_, L::Item>, at: &Path<'_>, out: &mut Patch) {
        match (&mut *self, now) {
            (Some(old), Some(now)) => old.sync_keyed(now, key, at, out),
            (_, now) => self.sync(now, at, out),
        }
    }
}

impl<L: List> List for Box<L> {
    type Item = L::Item;

    fn sync_keyed(&mut self, now: &Self, key: Key<'_, L::Item>, at: &Path<'_>, out: &mut Patch) {
        L::sync_keyed(self, now, key, at, out);
    }
}

macro_rules! shared {
    ($($Pointer:ident)*) => {$(
        impl<L: List> List for $Pointer<L> {
            type Item = L::Item;

            fn sync_keyed(&mut self, now: &Self, key: Key<'_, L::Item>, at: &Path<'_>, out: &mut Patch) {
                if !$Pointer::ptr_eq(self, now) {
                    L::sync_keyed($Pointer::make_mut(self), now, key, at, out);
                    self.clone_from(now);
                }
            }
        }
    )*};
}

shared!(Rc Arc);
