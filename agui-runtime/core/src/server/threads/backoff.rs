//! Pauses between attempts while the store gives no clear result.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::jitter::jittered;

/// The first and the longest pause.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Doubling, varying pauses within a time limit.
pub(super) struct StoreBackoff {
    /// An instant that other servers do not share, so that their attempts do not collide.
    apart: Instant,
    /// The first failure. A server that stood still before the first failure has not used the time up.
    begun: Option<Instant>,
    limit: Duration,
    pause: Duration,
}

impl StoreBackoff {
    /// Attempts may begin within `limit` after the first failure.
    pub(super) fn within(limit: Duration, apart: Instant) -> Self {
        Self { apart, begun: None, limit, pause: PAUSES.0 }
    }

    /// Waits before the next attempt. Returns false at once if the time is over.
    pub(super) async fn wait(&mut self) -> bool {
        let pause = self.vary();
        if self.begun.get_or_insert_with(Instant::now).elapsed() + pause >= self.limit {
            return false;
        }
        self.pause = (self.pause * 2).min(PAUSES.1);
        sleep(pause).await;
        true
    }

    /// Returns between half and all of the pause, by the clock alone: a simulation has a simulated clock.
    fn vary(&self) -> Duration {
        let mut hasher = DefaultHasher::new();
        self.apart.elapsed().hash(&mut hasher);
        jittered(self.pause, hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_vary_and_end() {
        let limit = Duration::from_secs(15);
        let mut backoff = StoreBackoff::within(limit, Instant::now());
        let mut pauses = Vec::new();
        loop {
            let before = Instant::now();
            if !backoff.wait().await {
                break;
            }
            pauses.push(before.elapsed());
        }
        assert!((16..=32).contains(&pauses.len()), "{pauses:?}");
        assert!(pauses.iter().sum::<Duration>() < limit);
        for (pause, whole) in pauses.iter().zip([50, 100, 200, 400, 800, 1_000, 1_000]) {
            let whole = Duration::from_millis(whole);
            // A timer has milliseconds.
            assert!((whole / 2..=whole + Duration::from_millis(1)).contains(pause), "{pauses:?}");
        }
        let mut last = pauses.split_off(6);
        last.dedup();
        assert!(last.len() > 5, "they vary: {last:?}");
    }
}
