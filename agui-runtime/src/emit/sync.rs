//! The lock of the hub; another one where its interleavings are explored.

pub(super) use std::sync::{Mutex, MutexGuard, PoisonError};
