//! Lease renewals while a run goes on.

use std::time::Duration;

use tokio::time::Instant;

use crate::quoted::quoted;
use crate::server::threads::conversation::claim::WriteError;

/// Schedules lease renewals, also while the run has nothing to append.
pub(super) struct LeaseRenewals {
    lease: Duration,
    pub(super) next: Instant,
    /// The first failure since the last renewal. A server that stood still has not used the time up.
    failing: Option<Instant>,
}

impl LeaseRenewals {
    pub(super) fn new(lease: Duration) -> Self {
        Self { lease, next: Instant::now() + lease / 3, failing: None }
    }

    /// Records that the lease was extended.
    pub(super) fn extended(&mut self) {
        *self = Self::new(self.lease);
    }

    /// Records a renewal's result. Fails if no renewal succeeded for a whole lease: readers must not wait for a silent run that
    /// other servers take for lost.
    pub(super) fn record_renewal(&mut self, renewed: Result<(), WriteError>) -> Result<(), WriteError> {
        match renewed {
            Ok(()) => self.extended(),
            Err(WriteError::Unavailable(error)) => {
                let first = *self.failing.get_or_insert_with(Instant::now);
                if first.elapsed() >= self.lease {
                    return Err(WriteError::Unavailable(error));
                }
                tracing::warn!(error = %quoted(&error), "the thread log is unavailable: the lease of a run is not extended");
                self.next = Instant::now() + self.lease / 3;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
