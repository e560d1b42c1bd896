//! The types that the hub shares between threads, replaced where their interleavings are explored.

pub(super) use std::sync::atomic::AtomicUsize;
pub(super) use std::sync::{Mutex, MutexGuard, PoisonError};
