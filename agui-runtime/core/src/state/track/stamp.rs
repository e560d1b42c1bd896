//! Proof that the recorded changes cover all differences between two copies.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A mark that travels with a tracked value and its copies.
///
/// The rule: when two stamps name the same point in time and the sent one has an empty record, the values differ at most in what
/// the other has recorded. Each flush makes a new point, even for a value that was cloned, swapped or replaced, so a stamp never
/// claims more than is known.
#[derive(Debug)]
pub(super) struct FlushStamp {
    point: AtomicU64,
    /// True if the record was already flushed, and so counts as empty.
    is_flushed: AtomicBool,
}

/// Each thread takes its points from its own block, so that flushes do not contend for one counter.
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

impl FlushStamp {
    /// Returns a point that no other value has.
    pub(super) fn new() -> Self {
        Self { point: AtomicU64::new(new_point()), is_flushed: AtomicBool::new(true) }
    }

    /// Prepares for a change; returns true if the record must be emptied first.
    #[inline]
    pub(super) fn begin(&mut self) -> bool {
        std::mem::replace(self.is_flushed.get_mut(), false)
    }

    /// Compares the sent copy's stamp with the value's: returns how much the value's record covers.
    pub(super) fn compared(&self, now: &Self) -> RecordCoverage {
        // The record is read before the point, because a thread that empties it has made a new point first.
        let is_flushed = now.is_flushed.load(Ordering::Acquire);
        let is_same_point = self.point.load(Ordering::Relaxed) == now.point.load(Ordering::Relaxed);
        match (is_same_point && self.is_flushed.load(Ordering::Relaxed), is_flushed) {
            (false, _) => RecordCoverage::Nothing,
            (true, true) => RecordCoverage::Same,
            (true, false) => RecordCoverage::Recorded,
        }
    }

    /// Records that both are the same now.
    pub(super) fn agree(&mut self, now: &Self) {
        let point = new_point();
        *self.point.get_mut() = point;
        *self.is_flushed.get_mut() = true;
        now.point.store(point, Ordering::Relaxed);
        now.is_flushed.store(true, Ordering::Release);
    }
}

/// The extent to which two copies' difference is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordCoverage {
    /// There is no difference.
    Same,
    /// The difference is in the record.
    Recorded,
    /// Everything must be compared.
    Nothing,
}

impl Clone for FlushStamp {
    fn clone(&self) -> Self {
        Self {
            point: AtomicU64::new(self.point.load(Ordering::Relaxed)),
            is_flushed: AtomicBool::new(self.is_flushed.load(Ordering::Relaxed)),
        }
    }
}
