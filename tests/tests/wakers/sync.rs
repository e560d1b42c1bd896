//! What the hub shares between threads, so that loom explores the interleavings.

pub use std::sync::PoisonError;

pub use loom::sync::atomic::AtomicUsize;
pub use loom::sync::{Mutex, MutexGuard};
