//! The form of the runs that a server makes.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The number of events of a run besides its deltas: the start and the end of the run, and of its message.
const FRAME: u64 = 4;

/// A run of one message.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub deltas: u64,
    /// The time between two deltas.
    pub pace: Duration,
}

impl Shape {
    pub const fn new(deltas: u64, pace: Duration) -> Self {
        Self { deltas, pace }
    }

    pub fn events(self) -> u64 {
        self.deltas + FRAME
    }

    /// Returns the time when a delta is due; `None` if the delta is due at once.
    pub fn due(self, begun: Instant, delta: u64) -> Option<Instant> {
        let waits = !self.pace.is_zero() && delta > 0;
        waits.then(|| begun + self.pace * u32::try_from(delta).unwrap_or(u32::MAX))
    }

    /// Waits until a delta is due.
    pub async fn wait(self, begun: Instant, delta: u64) {
        if let Some(due) = self.due(begun, delta) {
            sleep_until(due).await;
        }
    }
}

/// The text of a delta, as long as a token of a model.
pub fn token(delta: u64) -> String {
    format!("token{delta} ")
}
