//! Time limits for runs over HTTP.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::client::{ClientError, TimedOut};

/// One run's time limits, counted from the request.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limits {
    /// The longest pause between two stream chunks, and before the first.
    pub(super) idle: Option<Duration>,
    /// The longest duration of a whole run.
    pub(super) whole: Option<Duration>,
}

/// The limits and their start time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadlines {
    limits: Limits,
    started: Instant,
}

impl Limits {
    pub(super) fn start(self) -> Deadlines {
        Deadlines { limits: self, started: Instant::now() }
    }
}

impl Deadlines {
    /// Fails if the whole run has taken too long. A wait does not notice that while bytes keep arriving.
    pub(super) fn check(&self) -> Result<(), ClientError> {
        match self.limits.whole {
            Some(limit) if self.started.elapsed() >= limit => {
                Err(ClientError::Timeout { waited_for: TimedOut::WholeRun, limit })
            }
            _ => Ok(()),
        }
    }

    /// Sleeps, but not beyond the run's time limit.
    pub(super) async fn sleep(&self, pause: Duration) -> Result<(), ClientError> {
        let left = self.limits.whole.map(|limit| limit.saturating_sub(self.started.elapsed()));
        tokio::time::sleep(left.map_or(pause, |left| left.min(pause))).await;
        self.check()
    }

    /// Waits for the next chunk, up to the time limits.
    pub(super) async fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T, ClientError> {
        self.check()?;
        // A limit that overflows the clock is no limit.
        let idle = self
            .limits
            .idle
            .and_then(|limit| Some((Instant::now().checked_add(limit)?, TimedOut::NextBytes, limit)));
        let whole = self
            .limits
            .whole
            .and_then(|limit| Some((self.started.checked_add(limit)?, TimedOut::WholeRun, limit)));
        let Some((at, waited_for, limit)) = idle.into_iter().chain(whole).min_by_key(|(at, ..)| *at) else {
            return Ok(work.await);
        };
        timeout_at(at, work).await.map_err(|_| ClientError::Timeout { waited_for, limit })
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_run_whose_bytes_are_always_there_ends_in_time() {
        let limit = Duration::from_secs(1);
        let deadlines = Limits { idle: Some(limit * 9), whole: Some(limit) }.start();
        assert!(deadlines.wait(ready(())).await.is_ok());
        tokio::time::advance(limit).await;
        let late = deadlines.wait(ready(())).await;
        assert!(matches!(late, Err(ClientError::Timeout { waited_for: TimedOut::WholeRun, .. })), "{late:?}");
    }
}
