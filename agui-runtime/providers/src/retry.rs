//! The delay between attempts.

use std::time::Duration;

use agui_runtime_core::__leaf::jittered;
use agui_runtime_core::model::ModelError;

/// The longest delay that a provider may request. Beyond this limit the request fails, because the user would wait too long.
const LONGEST: Duration = Duration::from_secs(60);

/// Returns the delay before the next attempt; `None` if there must be no retry. `random` is any number.
pub(super) fn wait(error: &ModelError, attempt: u32, retries: u32, random: u64) -> Option<Duration> {
    let asked = match error {
        ModelError::Overloaded { retry_after, .. } | ModelError::RateLimited { retry_after, .. } => {
            *retry_after
        }
        ModelError::Unreachable(_) | ModelError::EmptyReply => None,
        // The user has waited for the longest silence already.
        _ => return None,
    };
    if attempt >= retries || asked.is_some_and(|asked| asked > LONGEST) {
        return None;
    }
    let whole = Duration::from_millis(500).saturating_mul(2_u32.saturating_pow(attempt)).min(LONGEST);
    let pause = jittered(whole, random);
    Some(asked.map_or(pause, |asked| asked + pause.min(Duration::from_millis(250))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overloaded(retry_after: Option<u64>) -> ModelError {
        ModelError::Overloaded { message: String::new(), retry_after: retry_after.map(Duration::from_secs) }
    }

    #[test]
    fn waits_double_within_their_bounds() {
        for (attempt, least, most) in [(0, 250, 500), (1, 500, 1000), (2, 1000, 2000)] {
            for random in [0, 1, u64::MAX / 2, u64::MAX] {
                let wait = wait(&overloaded(None), attempt, 5, random).unwrap();
                assert!((least..=most).contains(&wait.as_millis()), "{attempt} {random}: {wait:?}");
            }
        }
    }

    #[test]
    fn a_provider_that_names_a_time_gets_it() {
        let asked = wait(&overloaded(Some(3)), 0, 2, 7).unwrap();
        assert!(asked >= Duration::from_secs(3) && asked < Duration::from_millis(3300), "{asked:?}");
        assert_eq!(wait(&overloaded(Some(61)), 0, 2, 7), None);
    }

    #[test]
    fn a_failure_that_does_not_pass_is_not_tried_again() {
        assert_eq!(wait(&ModelError::Truncated, 0, 2, 7), None);
        assert_eq!(wait(&ModelError::Silent { after: Duration::from_secs(120) }, 0, 2, 7), None);
        assert_eq!(wait(&ModelError::TooLong("a".to_owned()), 0, 2, 7), None);
        assert_eq!(wait(&overloaded(None), 2, 2, 7), None);
        assert_eq!(wait(&overloaded(None), 0, 0, 7), None);
        assert_eq!(
            wait(&overloaded(None), u32::MAX - 1, u32::MAX, u64::MAX).map(|wait| wait <= LONGEST),
            Some(true)
        );
    }
}
