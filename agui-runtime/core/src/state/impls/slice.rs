//! Lists other than `Vec`: each is converted to a `Vec` before syncing.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::super::StateNode;
use super::super::engine::{JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};
use super::list;
use crate::state::engine::list::{ElementIdentity, sync};

macro_rules! slices {
    ($($Slice:ty, $same:expr, $sync:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: StateNode> StateNode for $Slice {
            const MIN: usize = 2;

            fn is_open(types: &mut VisitedTypes) -> bool {
                types.list::<T>(T::is_open)
            }

            fn same(&self, now: &Self) -> bool {
                let is_one: fn(&Self, &Self) -> bool = $same;
                is_one(self, now)
                    || self.len() == now.len() && self.iter().zip(now.iter()).all(|(old, now)| old.same(now))
            }

            fn write(&self, out: &mut JsonOut) {
                list::write(self.iter(), out);
            }

            fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                let is_one: fn(&Self, &Self) -> bool = $same;
                if is_one(self, now) {
                    return;
                }
                if at.is_deep() {
                    out.whole(self, now, at);
                    return;
                }
                let with: fn(&mut Self, &Self, &mut dyn FnMut(&mut Vec<T>)) = $sync;
                with(self, now, &mut |list| sync(list, now, now, ElementIdentity::of_type(), at, out));
            }

            fn floor(&self) -> usize {
                1 + (self.len() * (1 + T::MIN)).max(1)
            }

            fn token(&self, into: &mut ValueToken) {
                list::token(self.len(), self.iter(), into);
            }
        }
    )*};
}

slices! {
    Box<[T]>, |_, _| false, |old, _, with| {
        let mut list = std::mem::take(old).into_vec();
        with(&mut list);
        *old = list.into_boxed_slice();
    };
    Cow<'static, [T]>, |_, _| false, |old, _, with| with(old.to_mut());
    Rc<[T]>, Rc::ptr_eq, |old, now, with| {
        with(&mut old.to_vec());
        // Both share one allocation from now on: the next comparison is one of pointers.
        old.clone_from(now);
    };
    Arc<[T]>, Arc::ptr_eq, |old, now, with| {
        with(&mut old.to_vec());
        old.clone_from(now);
    };
}
