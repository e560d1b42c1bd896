//! Integers that are not zero.

use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16,
    NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};

use super::super::StateNode;
use super::super::engine::{JsonOut, ValueToken};
use super::MapKey;

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
                out.integer(self.get());
            }

            fn token(&self, token: &mut ValueToken) {
                self.get().token(token);
            }
        }

        #[diagnostic::do_not_recommend]
        impl MapKey for $ty {}
    )*};
}

integers! {
    NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize
    NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn integers_are_values_and_keys() {
        check(&NonZeroU64::MIN, &NonZeroU64::MAX);
        check(&NonZeroI128::MIN, &NonZeroI128::MAX);
        assert_eq!(
            check(&BTreeMap::new(), &BTreeMap::from([(NonZeroI8::MIN, Some(NonZeroI8::MAX))])),
            r#"[{"op":"add","path":"/-128","value":127}]"#
        );
    }
}
