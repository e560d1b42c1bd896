//! Types of the standard library that only serde can write.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::super::Node;

macro_rules! opaque {
    ($($ty:ty)*) => {$(
        impl Node for $ty {
            fn same(&self, now: &Self) -> bool {
                self == now
            }
        }
    )*};
}

opaque!(Duration PathBuf SystemTime);
