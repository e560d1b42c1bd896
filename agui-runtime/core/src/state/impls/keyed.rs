//! Lists that tell elements apart by a field, and pointers to such lists.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::list::sync_deque_named;
use crate::state::StateNode;
use crate::state::engine::list::sync_named;
use crate::state::engine::{KeyFunctions, KeyedList, PatchText, StatePath};

impl<T: StateNode> KeyedList for Vec<T> {
    type Item = T;

    fn sync_keyed(&mut self, now: &Self, key: KeyFunctions<'_, T>, at: &StatePath<'_>, out: &mut PatchText) {
        sync_named(self, now, key, at, out);
    }
}

impl<T: StateNode> KeyedList for VecDeque<T> {
    type Item = T;

    fn sync_keyed(&mut self, now: &Self, key: KeyFunctions<'_, T>, at: &StatePath<'_>, out: &mut PatchText) {
        sync_deque_named(self, now, key, at, out);
    }
}

impl<L: KeyedList> KeyedList for Option<L> {
    type Item = L::Item;

    fn sync_keyed(
        &mut self,
        now: &Self,
        key: KeyFunctions<'_, L::Item>,
        at: &StatePath<'_>,
        out: &mut PatchText,
    ) {
        match (&mut *self, now) {
            (Some(old), Some(now)) => old.sync_keyed(now, key, at, out),
            (_, now) => self.sync(now, at, out),
        }
    }
}

impl<L: KeyedList> KeyedList for Box<L> {
    type Item = L::Item;

    fn sync_keyed(
        &mut self,
        now: &Self,
        key: KeyFunctions<'_, L::Item>,
        at: &StatePath<'_>,
        out: &mut PatchText,
    ) {
        L::sync_keyed(self, now, key, at, out);
    }
}

macro_rules! shared {
    ($($Pointer:ident)*) => {$(
        impl<L: KeyedList> KeyedList for $Pointer<L> {
            type Item = L::Item;

            fn sync_keyed(&mut self, now: &Self, key: KeyFunctions<'_, L::Item>, at: &StatePath<'_>, out: &mut PatchText) {
                if !$Pointer::ptr_eq(self, now) {
                    L::sync_keyed($Pointer::make_mut(self), now, key, at, out);
                    self.clone_from(now);
                }
            }
        }
    )*};
}

shared!(Rc Arc);
