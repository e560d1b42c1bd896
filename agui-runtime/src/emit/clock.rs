use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::protocol::Timestamp;

/// Where the timestamps of a run's events come from.
///
/// By default events carry none, because AG-UI asks for none and they cost bytes. A timestamp a write brings itself
/// always wins.
///
/// ```
/// use agui_runtime::{Clock, RunOptions};
///
/// let options = RunOptions::default().clock(Clock::system());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clock(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    Silent,
    System,
    Fixed {
        next: i64,
        step: i64,
    },
}

impl Clock {
    /// No timestamps.
    #[must_use]
    pub fn silent() -> Self {
        Self(Source::Silent)
    }

    /// The system's time, when the event is sent. Needs a target that has a clock.
    #[must_use]
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Times that are the same every time: the first event at `start` milliseconds, each later one `step` after the one
    /// before.
    #[must_use]
    pub fn fixed(start: i64, step: i64) -> Self {
        Self(Source::Fixed { next: start, step })
    }

    /// The time now, for what expires: of a run with fixed times, that of its next event. `None` on a target without a clock.
    pub(crate) fn now(&self) -> Option<SystemTime> {
        match &self.0 {
            Source::Fixed { next, .. } => {
                UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(*next).ok()?))
            }
            Source::Silent | Source::System if cfg!(all(target_family = "wasm", target_os = "unknown")) => {
                None
            }
            Source::Silent | Source::System => Some(SystemTime::now()),
        }
    }

    /// The time of the next event; `None` also where a timestamp cannot carry it (AG-UI 1.0: 2^53 − 1 at most).
    /// Whether it never says anything.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self.0, Source::Silent)
    }

    pub(super) fn tick(&mut self) -> Option<Timestamp> {
        let millis = match &mut self.0 {
            Source::Silent => return None,
            Source::System => {
                i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()?
            }
            Source::Fixed { next, step } => {
                let now = *next;
                *next = next.saturating_add(*step);
                now
            }
        };
        Timestamp::from_millis(millis).ok()
    }
}
