//! A lock that reports a second lock by one thread, which would be a deadlock with the real one.

use std::ops::{Deref, DerefMut};
use std::sync;
pub use std::sync::PoisonError;
pub use std::sync::atomic::AtomicUsize;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Mutex<T> {
    lock: sync::Mutex<T>,
    held: AtomicBool,
}

pub struct MutexGuard<'a, T> {
    guard: sync::MutexGuard<'a, T>,
    held: &'a AtomicBool,
}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        Self { lock: sync::Mutex::new(value), held: AtomicBool::new(false) }
    }

    pub fn lock(&self) -> Result<MutexGuard<'_, T>, PoisonError<MutexGuard<'_, T>>> {
        assert!(!self.held.swap(true, Ordering::SeqCst), "foreign code ran under the lock");
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(MutexGuard { guard, held: &self.held })
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.held.store(false, Ordering::SeqCst);
    }
}
