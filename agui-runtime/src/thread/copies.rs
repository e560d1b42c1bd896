//! The budget for copies of threads: the bytes that readers make a server hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A copy up to this length is never refused: a reader must come on by a little at a time.
pub(crate) const SMALL_COPY: usize = 32 * 1024;

/// The bytes of all copies.
#[derive(Debug)]
pub(crate) struct CopyBudget {
    limit: usize,
    taken: AtomicUsize,
    /// Tells of growth and of its end, for metrics.
    changed: fn(CopyChange),
}

/// A change of the bytes of all copies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CopyChange {
    Grew(usize),
    Shrank(usize),
}

impl CopyBudget {
    pub(crate) fn new(limit: usize, changed: fn(CopyChange)) -> Arc<Self> {
        Arc::new(Self { limit, taken: AtomicUsize::new(0), changed })
    }

    /// Takes bytes for a copy; `None` if there are not as many left. A copy that is larger than the limit is admitted while
    /// there is no other: its thread could not be read at all.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Option<HeldCopy> {
        let fits = |taken: usize| {
            let sum = taken.checked_add(bytes)?;
            (sum <= self.limit || taken == 0 || bytes <= SMALL_COPY).then_some(sum)
        };
        self.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits).ok()?;
        (self.changed)(CopyChange::Grew(bytes));
        Some(HeldCopy { budget: Arc::clone(self), bytes })
    }

    /// Returns true if readers should hold less than they could.
    pub(crate) fn is_scarce(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.limit / 2
    }
}

/// The bytes of one copy in the budget; dropping the value returns them.
#[derive(Debug)]
pub(crate) struct HeldCopy {
    budget: Arc<CopyBudget>,
    bytes: usize,
}

impl HeldCopy {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes more bytes for the same copy. Returns false, and takes none, if there are not as many left.
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let Some(own) = self.bytes.checked_add(bytes) else { return false };
        let fits = |taken: usize| {
            let sum = taken.checked_add(bytes)?;
            (sum <= self.budget.limit || taken == self.bytes || own <= SMALL_COPY).then_some(sum)
        };
        if self.budget.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits).is_err() {
            return false;
        }
        (self.budget.changed)(CopyChange::Grew(bytes));
        self.bytes = own;
        true
    }

    /// Returns the bytes beyond these.
    pub(crate) fn shrink(&mut self, bytes: usize) {
        if let Some(beyond) = self.bytes.checked_sub(bytes) {
            self.release(beyond);
        }
    }

    fn release(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.budget.taken.fetch_sub(bytes, Ordering::AcqRel);
        (self.budget.changed)(CopyChange::Shrank(bytes));
    }
}

impl Drop for HeldCopy {
    fn drop(&mut self) {
        self.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_a_limit_and_return_their_bytes() {
        let budget = CopyBudget::new(100 * SMALL_COPY, |_| ());
        let mut first = budget.hold(60 * SMALL_COPY).unwrap();
        assert!(budget.is_scarce() && budget.hold(60 * SMALL_COPY).is_none());
        assert!(budget.hold(SMALL_COPY).is_some(), "a small one fits always");
        first.shrink(40 * SMALL_COPY);
        let second = budget.hold(60 * SMALL_COPY).unwrap();
        assert!(!first.grow(SMALL_COPY) && first.bytes == 40 * SMALL_COPY);
        drop(second);
        assert!(
            first.grow(60 * SMALL_COPY) && first.grow(SMALL_COPY),
            "alone, a copy may grow beyond the limit"
        );
        drop(first);
        let alone = budget.hold(1000 * SMALL_COPY);
        assert!(alone.is_some() && budget.hold(2 * SMALL_COPY).is_none(), "a larger one, if it is alone");
    }
}
