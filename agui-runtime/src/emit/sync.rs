//! What the hub shares between threads; other such things where their interleavings are explored.

pub(super) use std::sync::atomic::AtomicUsize;
pub(super) use std::sync::{Mutex, MutexGuard, PoisonError};
