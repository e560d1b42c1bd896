//! Types that only serde can write, and whose equal values have equal texts.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::super::StateNode;

macro_rules! opaque {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl StateNode for $ty {
            fn same(&self, now: &Self) -> bool {
                self == now
            }
        }
    )*};
}

pub(super) use opaque;

opaque!(Duration PathBuf SystemTime);
