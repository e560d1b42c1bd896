//! The budget of bytes for the bodies of all requests together.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::StatusCode;

use super::limits::Limits;
use super::metrics;
use super::rejection::Rejection;

/// A body up to this length may use the part of the budget that is reserved from larger ones, so that a few large
/// bodies do not keep out all other clients.
const SMALL: usize = 64 * 1024;

/// The bytes of all bodies that are being read, and of those whose runs go on.
pub(super) struct Budget {
    limit: usize,
    /// The part of the limit that bodies over [`SMALL`] may fill.
    large: usize,
    taken: AtomicUsize,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        // A body within the limit for one must not be refused by an idle server.
        let limit = limits.total_body_size.max(limits.body_size);
        let large = (limit - limit / 4).max(limits.body_size);
        Arc::new(Self { limit, large, taken: AtomicUsize::new(0) })
    }

    /// Returns the share of one body, of which nothing has been read yet.
    pub(super) fn share(self: &Arc<Self>) -> Share {
        Share { budget: Arc::clone(self), len: 0 }
    }

    /// Returns the limit of the sum if one of the bodies has this length.
    fn limit_for(&self, len: usize) -> usize {
        if len <= SMALL { self.limit } else { self.large }
    }

    fn refuse(&self) -> Rejection {
        Rejection::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "server_busy",
            format!(
                "the inputs of all runs have reached this server's limit of {} bytes: try again later",
                self.limit
            ),
        )
        .retry_after(1)
    }
}

/// The bytes of one body in the budget; dropping it returns them.
pub(super) struct Share {
    budget: Arc<Budget>,
    len: usize,
}

impl Share {
    /// Refuses a body that announces more bytes than there is room for. It takes nothing: a client that announces bytes
    /// and does not send them must not keep others out.
    pub(super) fn check(&self, announced: usize) -> Result<(), Rejection> {
        let taken = self.budget.taken.load(Ordering::Relaxed);
        if taken.saturating_add(announced) <= self.budget.limit_for(announced) {
            Ok(())
        } else {
            Err(self.budget.refuse())
        }
    }

    /// Takes `more` bytes, which have arrived.
    pub(super) fn grow(&mut self, more: usize) -> Result<(), Rejection> {
        let len = self.len.saturating_add(more);
        let limit = self.budget.limit_for(len);
        let fits = |taken: usize| taken.checked_add(more).filter(|taken| *taken <= limit);
        let grown = self.budget.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        grown.map_err(|_| self.budget.refuse())?;
        self.len = len;
        metrics::body_grew(more);
        Ok(())
    }
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.taken.fetch_sub(self.len, Ordering::Relaxed);
        metrics::body_released(self.len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: usize = 1024;

    fn budget(total: usize, one: usize) -> Arc<Budget> {
        Budget::new(&Limits::default().total_body_size(total).body_size(one))
    }

    #[test]
    fn small_bodies_have_room_when_large_ones_are_refused() {
        let budget = budget(1000 * KB, 500 * KB);
        let (mut first, mut second) = (budget.share(), budget.share());
        first.grow(500 * KB).unwrap();
        second.grow(250 * KB).unwrap();
        assert!(second.grow(1).is_err() && budget.share().check(SMALL + 1).is_err());
        let small: Vec<_> = (0..3)
            .map(|_| {
                let mut small = budget.share();
                small.check(SMALL).unwrap();
                small.grow(SMALL).unwrap();
                small
            })
            .collect();
        assert!(budget.share().grow(SMALL).is_err(), "the limit holds for small bodies too");
        drop((first, second, small));
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn an_announcement_takes_nothing_and_a_refused_body_keeps_its_bytes() {
        let budget = budget(100 * KB, 100 * KB);
        let mut share = budget.share();
        share.check(100 * KB).unwrap();
        assert!(share.check(100 * KB + 1).is_err() && share.check(usize::MAX).is_err());
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
        share.grow(90 * KB).unwrap();
        assert!(share.grow(11 * KB).is_err() && share.grow(usize::MAX).is_err());
        share.grow(10 * KB).unwrap();
        drop(share);
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_body_within_the_limit_for_one_fits_an_idle_server() {
        for (total, one) in [(0, 10 * KB), (100 * KB, 90 * KB), (100 * KB, 500 * KB)] {
            budget(total, one).share().grow(one).unwrap();
        }
    }
}
