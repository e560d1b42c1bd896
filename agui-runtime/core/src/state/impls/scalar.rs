//! Numbers, booleans and the unit type.

use std::marker::PhantomData;

use super::super::StateNode;
use super::super::engine::{JsonOut, ValueToken, least_set};

macro_rules! integers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl StateNode for $ty {
            #[inline]
            fn same(&self, now: &Self) -> bool {
                self == now
            }

            #[inline]
            fn write(&self, out: &mut JsonOut) {
                out.integer(*self);
            }

            fn least_change(&self, now: &Self, path: usize) -> usize {
                if self.same(now) { 0 } else { least_set(path, now) }
            }

            #[inline]
            fn token(&self, token: &mut ValueToken) {
                token.bytes(&self.to_le_bytes());
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($ty:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl StateNode for $ty {
            /// Equal numbers are the same, also `-0.0` and `0`; NaN and the infinities are all `null`.
            #[inline]
            #[allow(clippy::float_cmp, reason = "only equal numbers have the same text")]
            fn same(&self, now: &Self) -> bool {
                self == now || !self.is_finite() && !now.is_finite()
            }

            fn write(&self, out: &mut JsonOut) {
                out.$ty(*self);
            }

            fn is_null(&self) -> bool {
                !self.is_finite()
            }

            fn least_change(&self, now: &Self, path: usize) -> usize {
                if self.same(now) { 0 } else { least_set(path, now) }
            }

            fn token(&self, token: &mut ValueToken) {
                token.float(f64::from(*self));
            }
        }
    )*};
}

floats!(f32 f64);

#[diagnostic::do_not_recommend]
impl StateNode for bool {
    const MIN: usize = 4;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        self == now
    }

    #[inline]
    fn write(&self, out: &mut JsonOut) {
        out.raw(if *self { "true" } else { "false" });
    }

    fn token(&self, token: &mut ValueToken) {
        token.number(u64::from(*self));
    }
}

/// Types with one value, written as `null`.
macro_rules! nulls {
    ($(impl[$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> StateNode for $ty {
            const MIN: usize = 4;

            #[inline]
            fn same(&self, _: &Self) -> bool {
                true
            }

            fn write(&self, out: &mut JsonOut) {
                out.raw("null");
            }

            fn is_null(&self) -> bool {
                true
            }

            fn token(&self, token: &mut ValueToken) {
                token.null();
            }
        }
    )*};
}

nulls! {
    impl[] ();
    impl[T: schemars::JsonSchema + 'static] PhantomData<T>;
}
