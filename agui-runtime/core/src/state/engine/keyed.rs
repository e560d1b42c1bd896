//! Lists that identify elements by a field that the list's owner names.

use super::{PatchText, StateNode, StatePath, ValueToken};

/// A sequence whose elements can be added, removed and moved: the type of a field with `#[state(key = "…")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "`key = \"…\"` tells the elements of a list apart",
    note = "write it on a `Vec` or `VecDeque`, or just `key` on the field of the element that tells it apart"
)]
pub trait KeyedList: StateNode {
    /// The element type.
    type Item: StateNode;

    /// [`StateNode::sync`] with elements identified by `key`.
    fn sync_keyed(
        &mut self,
        now: &Self,
        key: KeyFunctions<'_, Self::Item>,
        at: &StatePath<'_>,
        out: &mut PatchText,
    );
}

/// Functions that compare element keys.
pub struct KeyFunctions<'k, T> {
    pub(crate) same: &'k dyn Fn(&T, &T) -> bool,
    pub(crate) token: &'k dyn Fn(&T, &mut ValueToken),
}

impl<T> Clone for KeyFunctions<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for KeyFunctions<'_, T> {}

impl<T> std::fmt::Debug for KeyFunctions<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

/// [`StateNode::sync`] for a list with `#[state(key = "…")]`.
pub fn keyed<L: KeyedList>(
    old: &mut L,
    now: &L,
    same: &dyn Fn(&L::Item, &L::Item) -> bool,
    token: &dyn Fn(&L::Item, &mut ValueToken),
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    old.sync_keyed(now, KeyFunctions { same, token }, at, out);
}
