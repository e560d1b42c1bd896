//! Whether what was recorded since two copies were last the same says all that is different between them.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Travels with a tracked value and with copies of it.
///
/// The rule that it keeps: when two stamps name the same point in time and nothing is recorded in the one that was sent,
/// the values differ at most in what is recorded in the other. Each flush makes a new point, whatever a value was
/// cloned from, swapped with or replaced by, so a stamp never claims what it does not know.
#[derive(Debug)]
pub(super) struct Stamp {
    point: AtomicU64,
    /// Whether the record is of what was flushed already, so that it counts as empty.
    is_flushed: AtomicBool,
}

/// Each thread takes its points from a block of its own, so that flushes do not meet at one counter.
fn new_point() -> u64 {
    const BLOCK: u64 = 1 << 16;
    static NEXT_BLOCK: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    NEXT.with(|next| {
        let mut point = next.get();
        if point.is_multiple_of(BLOCK) {
            point = NEXT_BLOCK.fetch_add(BLOCK, Ordering::Relaxed);
        }
        next.set(point + 1);
        point
    })
}

impl Stamp {
    /// A point that no other value knows.
    pub(super) fn new() -> Self {
        Self { point: AtomicU64::new(new_point()), is_flushed: AtomicBool::new(true) }
    }

    /// Before a change is recorded: whether the record must be emptied first.
    #[inline]
    pub(super) fn begin(&mut self) -> bool {
        std::mem::replace(self.is_flushed.get_mut(), false)
    }

    /// Of the sent copy: what its receiver's record says about the two.
    pub(super) fn compared(&self, now: &Self) -> Known {
        // The record before the point: who empties it meanwhile has made a new point first.
        let is_flushed = now.is_flushed.load(Ordering::Acquire);
        let is_same_point = self.point.load(Ordering::Relaxed) == now.point.load(Ordering::Relaxed);
        match (is_same_point && self.is_flushed.load(Ordering::Relaxed), is_flushed) {
            (false, _) => Known::Nothing,
            (true, true) => Known::Same,
            (true, false) => Known::Recorded,
        }
    }

    /// Both are the same now.
    pub(super) fn agree(&mut self, now: &Self) {
        let point = new_point();
        *self.point.get_mut() = point;
        *self.is_flushed.get_mut() = true;
        now.point.store(point, Ordering::Relaxed);
        now.is_flushed.store(true, Ordering::Release);
    }
}

/// What is known of the difference between two copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// There is none.
    Same,
    /// It is in the record.
    Recorded,
    /// Everything must be compared.
    Nothing,
}

impl Clone for Stamp {
    fn clone(&self) -> Self {
        Self {
            point: AtomicU64::new(self.point.load(Ordering::Relaxed)),
            is_flushed: AtomicBool::new(self.is_flushed.load(Ordering::Relaxed)),
        }
    }
}
