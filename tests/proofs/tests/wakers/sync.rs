//! The shared data of the hub, so that loom explores the interleavings of its lock.

pub use std::sync::PoisonError;
/// Not loom's: the number of waiting events is a hint, and writers may pass the soft bound on an old one.
pub use std::sync::atomic::AtomicUsize;

pub use loom::sync::{Mutex, MutexGuard};
