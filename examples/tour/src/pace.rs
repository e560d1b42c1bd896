//! The pace of the tour: people want to watch, tests do not.

use std::time::Duration;

/// Pauses between the pieces of slow features. A dependency of the agents with pauses.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    share: f64,
}

impl Pace {
    /// Reads `TOUR_PACE`, the factor of every pause: `0.05` for a tour twenty times as fast. Without it, or if it is
    /// not a number from 0 to 1, the factor is 1.
    pub fn from_env() -> Self {
        let said = std::env::var("TOUR_PACE").ok().and_then(|said| said.parse().ok());
        Self { share: said.filter(|share| (0.0..=1.0).contains(share)).unwrap_or(1.0) }
    }

    /// Waits for some seconds, times the factor.
    pub async fn pause(self, seconds: f64) {
        tokio::time::sleep(Duration::from_secs_f64(seconds * self.share)).await;
    }
}
