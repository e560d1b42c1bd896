//! The lock whose interleavings loom explores.

pub use std::sync::PoisonError;

pub use loom::sync::{Mutex, MutexGuard};
