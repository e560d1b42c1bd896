//! What the hub shares between threads, so that loom explores the interleavings of its lock.

pub use std::sync::PoisonError;
/// Not loom's: how many events wait is a hint, and writers may pass the soft bound on an old one.
pub use std::sync::atomic::AtomicUsize;

pub use loom::sync::{Mutex, MutexGuard};
