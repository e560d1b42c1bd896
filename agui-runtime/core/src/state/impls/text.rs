//! Strings as state.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::super::StateNode;
use super::super::engine::{JsonOut, ValueToken, least_set};

macro_rules! texts {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl StateNode for $ty {
            const MIN: usize = 2;

            #[inline]
            fn same(&self, now: &Self) -> bool {
                self == now
            }

            #[inline]
            fn write(&self, out: &mut JsonOut) {
                out.str(self);
            }

            #[inline]
            fn floor(&self) -> usize {
                self.len() + 2
            }

            fn least_change(&self, now: &Self, path: usize) -> usize {
                if self == now { 0 } else { least_set(path, now) }
            }

            fn token(&self, token: &mut ValueToken) {
                token.bytes(self.as_bytes());
            }
        }
    )*};
}

texts!(String Cow<'static, str> Box<str>);

macro_rules! shared {
    ($($Pointer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl StateNode for $Pointer<str> {
            const MIN: usize = 2;

            #[inline]
            fn same(&self, now: &Self) -> bool {
                $Pointer::ptr_eq(self, now) || self == now
            }

            fn write(&self, out: &mut JsonOut) {
                out.str(self);
            }

            fn floor(&self) -> usize {
                self.len() + 2
            }

            fn token(&self, token: &mut ValueToken) {
                token.bytes(self.as_bytes());
            }
        }
    )*};
}

shared!(Rc Arc);

#[diagnostic::do_not_recommend]
impl StateNode for char {
    const MIN: usize = 3;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn write(&self, out: &mut JsonOut) {
        out.str(self.encode_utf8(&mut [0; 4]));
    }

    fn token(&self, token: &mut ValueToken) {
        token.number(u64::from(u32::from(*self)));
    }
}
