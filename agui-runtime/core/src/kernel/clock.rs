//! Timestamp sources.

#[cfg(feature = "signed-interrupts")]
use std::time::Duration;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::protocol::Timestamp;

/// Source for the timestamps on a run's events.
///
/// By default events carry no timestamp, because AG-UI requires none and each one costs bytes. A timestamp that a write sets
/// itself always takes precedence.
///
/// ```
/// use agui_runtime::{Clock, RunOptions};
///
/// let options = RunOptions::default().clock(Clock::system());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clock(ClockSource);

#[derive(Clone, Debug, Default)]
enum ClockSource {
    #[default]
    Silent,
    System,
    Fixed {
        next: i64,
        step: i64,
    },
}

impl Clock {
    /// Returns a clock without timestamps: the default [`Clock`].
    #[must_use]
    pub fn silent() -> Self {
        Self(ClockSource::Silent)
    }

    /// Returns the system clock, read when an event is sent. Works only on targets that have a clock.
    ///
    /// ```
    /// use agui_runtime::{Clock, testing};
    ///
    /// # use agui_runtime::prelude::*;
    /// # /// Greets.
    /// # #[agent]
    /// # async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> { Ok(()) }
    /// # futures::executor::block_on(async {
    /// let options = testing::options().clock(Clock::system());
    /// let events = testing::run_with(Greeter::new(), testing::input("Hi"), options).await;
    /// assert!(events.iter().all(|event| event.timestamp().is_some()));
    /// # });
    /// ```
    #[must_use]
    pub fn system() -> Self {
        Self(ClockSource::System)
    }

    /// Returns a clock that repeats in every run: the first event at `start` milliseconds, each later event `step` milliseconds
    /// after the previous one.
    ///
    /// ```
    /// use agui_runtime::{Clock, testing};
    ///
    /// # use agui_runtime::prelude::*;
    /// # /// Greets.
    /// # #[agent]
    /// # async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> { Ok(()) }
    /// # futures::executor::block_on(async {
    /// let options = testing::options().clock(Clock::fixed(1_000, 10));
    /// let events = testing::run_with(Greeter::new(), testing::input("Hi"), options).await;
    /// let times: Vec<_> = events.iter().filter_map(|event| event.timestamp()).map(|time| time.millis()).collect();
    /// assert_eq!(times, [1_000, 1_010]); // RUN_STARTED, RUN_FINISHED
    /// # });
    /// ```
    #[must_use]
    pub fn fixed(start: i64, step: i64) -> Self {
        Self(ClockSource::Fixed { next: start, step })
    }

    /// Returns the current time, for expiries; with fixed times, the time for the run's next event. `None` on a target without a
    /// clock.
    #[cfg(feature = "signed-interrupts")]
    pub(crate) fn now(&self) -> Option<SystemTime> {
        match &self.0 {
            ClockSource::Fixed { next, .. } => {
                UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(*next).ok()?))
            }
            ClockSource::Silent | ClockSource::System
                if cfg!(all(target_family = "wasm", target_os = "unknown")) =>
            {
                None
            }
            ClockSource::Silent | ClockSource::System => Some(SystemTime::now()),
        }
    }

    /// True if the clock gives no timestamps.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self.0, ClockSource::Silent)
    }

    pub(super) fn tick(&mut self) -> Option<Timestamp> {
        let millis = match &mut self.0 {
            ClockSource::Silent => return None,
            ClockSource::System => {
                i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()?
            }
            ClockSource::Fixed { next, step } => {
                let now = *next;
                *next = next.saturating_add(*step);
                now
            }
        };
        Timestamp::from_millis(millis).ok()
    }
}
