//! The memory budget for the records and pasts that a server holds for readers.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// Copies up to this length are always admitted: every reader must make progress.
pub(crate) const SMALL_COPY: usize = 32 * 1024;

/// Why a reader ends whose copy does not fit.
pub(crate) const NO_MEMORY: &str = "the readers of this server hold as much as they may";

/// The maximum wait for other readers.
const PATIENCE: Duration = Duration::from_secs(30);

/// The memory budget that all copies share.
#[derive(Debug)]
pub(crate) struct CopyBudget {
    limit: usize,
    /// Bytes held by copies within the limit.
    taken: AtomicUsize,
    /// True while a copy larger than the limit exists.
    has_oversize: AtomicBool,
    freed: Notify,
    /// Reports copy growth and release, for metrics.
    changed: fn(CopyChange),
}

/// A change in the bytes that copies hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CopyChange {
    Grew(usize),
    Shrank(usize),
}

impl CopyBudget {
    pub(crate) fn new(limit: usize, changed: fn(CopyChange)) -> Arc<Self> {
        let (taken, has_oversize) = (AtomicUsize::new(0), AtomicBool::new(false));
        Arc::new(Self { limit, taken, has_oversize, freed: Notify::new(), changed })
    }

    /// Takes bytes for a copy; `None` if the budget has too few left. One copy larger than the limit is admitted at a time, since
    /// no reader could read that thread otherwise.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Option<HeldCopy> {
        let mut copy = HeldCopy { budget: Arc::clone(self), bytes: 0, is_oversize: false };
        copy.grow(bytes).then_some(copy)
    }

    /// Takes bytes for a copy as soon as other readers return enough. The waiting reader holds nothing. `None` after a timeout
    /// counted from `since`: long enough for a client that reads nothing to lose the connection.
    pub(crate) async fn hold_later(self: &Arc<Self>, bytes: usize, since: Instant) -> Option<HeldCopy> {
        let held = async {
            loop {
                let mut freed = pin!(self.freed.notified());
                freed.as_mut().enable();
                if let Some(held) = self.hold(bytes) {
                    return held;
                }
                freed.await;
            }
        };
        timeout_at(since + PATIENCE, held).await.ok()
    }

    /// Takes bytes for one reader's own copy: such copies leave room for shared copies.
    pub(crate) fn hold_own(self: &Arc<Self>, bytes: usize) -> Option<HeldCopy> {
        if self.is_scarce() { None } else { self.hold(bytes) }
    }

    /// Takes bytes if they fit, or unconditionally.
    fn take(&self, bytes: usize, in_any_case: bool) -> bool {
        let fits = |taken: usize| {
            let sum = taken.checked_add(bytes)?;
            (sum <= self.limit || in_any_case).then_some(sum)
        };
        self.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits).is_ok()
    }

    /// True if readers should hold less than they could.
    pub(crate) fn is_scarce(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.limit / 2
    }
}

/// One copy's share in the budget, returned on drop.
#[derive(Debug)]
pub(crate) struct HeldCopy {
    budget: Arc<CopyBudget>,
    bytes: usize,
    /// True for the copy larger than the limit, which takes no room from others.
    is_oversize: bool,
}

impl HeldCopy {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes more bytes for the same copy. Returns false and takes nothing if the budget has too few left.
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let Some(own) = self.bytes.checked_add(bytes) else { return false };
        let is_admitted = self.is_oversize
            || self.budget.take(bytes, own <= SMALL_COPY)
            || (own > self.budget.limit && self.become_oversize());
        if is_admitted {
            (self.budget.changed)(CopyChange::Grew(bytes));
            self.bytes = own;
        }
        is_admitted
    }

    /// Returns all bytes beyond `bytes`.
    pub(crate) fn shrink(&mut self, bytes: usize) {
        let Some(beyond) = self.bytes.checked_sub(bytes) else { return };
        self.release(beyond);
        if self.is_oversize && self.budget.take(bytes, false) {
            self.is_oversize = false;
            self.budget.has_oversize.store(false, Ordering::Release);
            self.budget.freed.notify_waiters();
        }
    }

    fn become_oversize(&mut self) -> bool {
        if self.budget.has_oversize.swap(true, Ordering::AcqRel) {
            return false;
        }
        self.budget.taken.fetch_sub(self.bytes, Ordering::AcqRel);
        self.is_oversize = true;
        self.budget.freed.notify_waiters();
        true
    }

    fn release(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        self.bytes -= bytes;
        if !self.is_oversize {
            self.budget.taken.fetch_sub(bytes, Ordering::AcqRel);
        }
        (self.budget.changed)(CopyChange::Shrank(bytes));
        self.budget.freed.notify_waiters();
    }
}

impl Drop for HeldCopy {
    fn drop(&mut self) {
        if self.is_oversize {
            self.budget.has_oversize.store(false, Ordering::Release);
        }
        self.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_copy_waits_for_another_that_is_dropped() {
        let budget = CopyBudget::new(3 * SMALL_COPY, |_| ());
        let first = budget.hold(2 * SMALL_COPY).unwrap();
        let (second, ()) = tokio::join!(budget.hold_later(2 * SMALL_COPY, Instant::now()), async {
            tokio::time::sleep(PATIENCE / 2).await;
            drop(first);
        });
        assert!(second.is_some());
        let begun = Instant::now();
        assert!(budget.hold_later(2 * SMALL_COPY, begun).await.is_none());
        assert!(budget.hold_later(2 * SMALL_COPY, begun).await.is_none());
        assert_eq!(begun.elapsed(), PATIENCE, "readers wait beside each other");
    }

    #[test]
    fn copies_share_a_limit_and_return_their_bytes() {
        let budget = CopyBudget::new(100 * SMALL_COPY, |_| ());
        let mut first = budget.hold(60 * SMALL_COPY).unwrap();
        assert!(budget.is_scarce() && budget.hold(60 * SMALL_COPY).is_none());
        assert!(budget.hold(SMALL_COPY).is_some(), "a small one fits always");
        first.shrink(40 * SMALL_COPY);
        let second = budget.hold(60 * SMALL_COPY).unwrap();
        assert!(!first.grow(SMALL_COPY) && first.bytes == 40 * SMALL_COPY);
        drop((first, second));
        let mut large = budget.hold(1000 * SMALL_COPY).unwrap();
        assert!(budget.hold(1000 * SMALL_COPY).is_none(), "one is larger than the limit at a time");
        assert!(large.grow(SMALL_COPY));
        large.shrink(SMALL_COPY);
        assert!(budget.hold(90 * SMALL_COPY).is_some());
        drop(large);
        assert!(budget.hold(1000 * SMALL_COPY).is_some());
    }
}
