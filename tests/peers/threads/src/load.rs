//! A stream as a request asks for it: the model that all servers imitate.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep, sleep_until};

/// Tokens, each with its number, in bursts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Load {
    /// The number of tokens.
    pub tokens: u64,
    /// The number of tokens that come at once.
    pub burst: u64,
    /// The milliseconds between two bursts.
    pub every: u64,
    /// The milliseconds between the last token and the end of the stream.
    pub hold: u64,
}

impl Load {
    pub const fn new(tokens: u64, burst: u64, every: u64) -> Self {
        Self { tokens, burst, every, hold: 0 }
    }

    /// The text of a token.
    pub fn token(number: u64) -> String {
        format!("{number} ")
    }

    /// Waits until a token is due.
    pub async fn due(&self, begun: Instant, number: u64) {
        let bursts = number / self.burst.max(1);
        if number > 0 && number.is_multiple_of(self.burst.max(1)) && self.every > 0 {
            sleep_until(begun + Duration::from_millis(self.every * bursts)).await;
        }
    }

    /// Waits between the last token and the end.
    pub async fn hold(&self) {
        if self.hold > 0 {
            sleep(Duration::from_millis(self.hold)).await;
        }
    }

    /// The time that the stream takes if nothing slows it down.
    pub fn planned(&self) -> Duration {
        Duration::from_millis(self.tokens.saturating_sub(1) / self.burst.max(1) * self.every + self.hold)
    }
}
