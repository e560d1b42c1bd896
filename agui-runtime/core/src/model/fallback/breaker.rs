//! The memory of a model's failures.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Skips a model that fails again and again, and lets one request in each pause try.
#[derive(Debug, Default)]
pub(super) struct CircuitBreaker(Mutex<BreakerState>);

#[derive(Debug, Default)]
struct BreakerState {
    /// The failures in a row.
    failures: u32,
    /// The instant at which one request may try; `None` while all may.
    next_trial: Option<Instant>,
}

impl CircuitBreaker {
    /// True if a request may ask the model. After a pause this holds for one request: if that one is dropped, for one after the
    /// next pause.
    pub(super) fn admits(&self, now: Instant, pause: Duration) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.next_trial {
            None => true,
            Some(trial) if now < trial => false,
            Some(_) => {
                state.next_trial = now.checked_add(pause);
                true
            }
        }
    }

    pub(super) fn succeed(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = BreakerState::default();
    }

    /// Counts a failure. True if requests skip the model from now on.
    pub(super) fn fail(&self, now: Instant, most: u32, pause: Duration) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.saturating_add(1);
        if state.failures < most {
            return false;
        }
        state.next_trial.replace(now.checked_add(pause).unwrap_or(now)).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(30);

    #[test]
    fn a_model_that_fails_in_a_row_is_skipped_for_a_pause() {
        let (breaker, now) = (CircuitBreaker::default(), Instant::now());
        assert!(!breaker.fail(now, 2, PAUSE));
        assert!(breaker.admits(now, PAUSE));
        assert!(breaker.fail(now, 2, PAUSE), "reported once");
        assert!(!breaker.admits(now, PAUSE));
        assert!(!breaker.admits(now + PAUSE / 2, PAUSE));

        let later = now + PAUSE;
        assert!(breaker.admits(later, PAUSE), "one request tries");
        assert!(!breaker.admits(later, PAUSE), "and no other");
        assert!(!breaker.fail(later, 2, PAUSE), "not reported again");
        assert!(!breaker.admits(later + PAUSE / 2, PAUSE));
    }

    #[test]
    fn a_success_forgets_failures() {
        let (breaker, now) = (CircuitBreaker::default(), Instant::now());
        assert!(!breaker.fail(now, 2, PAUSE));
        breaker.succeed();
        assert!(!breaker.fail(now, 2, PAUSE));
        assert!(breaker.fail(now, 2, PAUSE));
        breaker.succeed();
        assert!(breaker.admits(now, PAUSE));
    }

    #[test]
    fn a_trial_that_is_dropped_leaves_another_one() {
        let (breaker, now) = (CircuitBreaker::default(), Instant::now());
        assert!(breaker.fail(now, 1, PAUSE));
        assert!(breaker.admits(now + PAUSE, PAUSE));
        assert!(breaker.admits(now + PAUSE * 2, PAUSE));
    }
}
