//! How fast the tour goes: people want to watch, tests do not.

use std::time::Duration;

/// Pauses between the pieces of what is shown slowly. A dependency of the agents that take their time.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    share: f64,
}

impl Pace {
    /// As `TOUR_PACE` says: the share of its time that every pause takes, `0.05` for a tour twenty times as fast. Without it, or
    /// where it is no number from 0 to 1, pauses take their time.
    pub fn from_env() -> Self {
        let said = std::env::var("TOUR_PACE").ok().and_then(|said| said.parse().ok());
        Self { share: said.filter(|share| (0.0..=1.0).contains(share)).unwrap_or(1.0) }
    }

    /// Waits, in seconds as they are without `TOUR_PACE`.
    pub async fn pause(self, seconds: f64) {
        tokio::time::sleep(Duration::from_secs_f64(seconds * self.share)).await;
    }
}
