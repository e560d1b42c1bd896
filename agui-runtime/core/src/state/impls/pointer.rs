//! Pointers, written as the JSON of what they point to. Two shared pointers to one allocation are the same.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::super::StateNode;
use super::super::engine::{FlatMembers, JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};

macro_rules! inner {
    () => {
        // The minimum of the inner type would be a cycle for a type that contains itself.
        const MIN: usize = 1;
        const KEYED: bool = T::KEYED;
        const EXACT: bool = T::EXACT;

        fn is_open(types: &mut VisitedTypes) -> bool {
            T::is_open(types)
        }

        fn write(&self, out: &mut JsonOut) {
            T::write(self, out);
        }

        fn is_null(&self) -> bool {
            T::is_null(self)
        }

        fn floor(&self) -> usize {
            T::floor(self)
        }

        fn least_change(&self, now: &Self, path: usize) -> usize {
            T::least_change(self, now, path)
        }

        fn token(&self, token: &mut ValueToken) {
            T::token(self, token);
        }

        fn key_same(&self, now: &Self) -> bool {
            T::key_same(self, now)
        }

        fn key_token(&self, token: &mut ValueToken) {
            T::key_token(self, token);
        }
    };
}

impl<T: StateNode> StateNode for Box<T> {
    inner!();

    fn same(&self, now: &Self) -> bool {
        T::same(self, now)
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        // Types that contain themselves do so through a pointer or a collection, so a check there is
        // enough.
        if at.is_deep() {
            out.whole(&mut **self, &**now, at);
        } else {
            T::sync(self, now, at, out);
        }
    }
}

/// A value that is borrowed for the whole program is copied before a change.
#[diagnostic::do_not_recommend]
impl<T: StateNode> StateNode for Cow<'static, T> {
    inner!();

    fn same(&self, now: &Self) -> bool {
        std::ptr::eq(&**self, &**now) || T::same(self, now)
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        if std::ptr::eq(&**self, &**now) {
            return;
        }
        if at.is_deep() {
            out.whole(self.to_mut(), &**now, at);
        } else if !T::same(self, now) {
            T::sync(self.to_mut(), now, at, out);
        }
    }
}

macro_rules! shared {
    ($($Pointer:ident $(+ $Bound:ident)?;)*) => {$(
        impl<T: StateNode $(+ $Bound)?> StateNode for $Pointer<T> {
            inner!();

            #[inline]
            fn same(&self, now: &Self) -> bool {
                $Pointer::ptr_eq(self, now) || T::same(self, now)
            }

            fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                if $Pointer::ptr_eq(self, now) {
                    return;
                }
                if at.is_deep() {
                    if !T::same(self, now) {
                        out.set(at, &**now);
                    }
                } else {
                    // If others share the allocation, `make_mut` clones it before the comparison.
                    T::sync($Pointer::make_mut(self), now, at, out);
                }
                // Both share one allocation from now on: the next comparison is one of pointers.
                self.clone_from(now);
            }
        }

        impl<T: StateNode + FlatMembers $(+ $Bound)?> FlatMembers for $Pointer<T> {
            fn any_name(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
                T::any_name(self, is)
            }

            fn has_name(&self, name: &str) -> bool {
                T::has_name(self, name)
            }

            fn write_members(&self, out: &mut JsonOut) {
                T::write_members(self, out);
            }

            fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                if !$Pointer::ptr_eq(self, now) {
                    T::sync_members($Pointer::make_mut(self), now, at, out);
                    self.clone_from(now);
                }
            }
        }
    )*};
}

shared! {
    Rc;
    Arc;
}

impl<T: FlatMembers> FlatMembers for Box<T> {
    fn any_name(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
        T::any_name(self, is)
    }

    fn has_name(&self, name: &str) -> bool {
        T::has_name(self, name)
    }

    fn write_members(&self, out: &mut JsonOut) {
        T::write_members(self, out);
    }

    fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        T::sync_members(self, now, at, out);
    }
}
