//! Asks again where a run has not begun.

use std::time::Duration;

use futures::{StreamExt, stream};

use super::{Middleware, Next};
use crate::client::{ClientError, Frame, Frames};
use crate::protocol::RunAgentInput;
use crate::quoted::quoted;

/// How often to ask again, and how long to wait before.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::client::middleware::Retry;
///
/// let patient = Retry::times(5).first_pause(Duration::from_millis(100)).longest_pause(Duration::from_secs(2));
/// assert_eq!(patient.pause(1), Duration::from_millis(200));
/// assert_eq!(patient.pause(30), Duration::from_secs(2));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Retry {
    times: usize,
    first: Duration,
    longest: Duration,
}

impl Retry {
    /// So often at most, after a quarter of a second, then twice as long each time, 10 seconds at most.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::client::middleware::Retry;
    ///
    /// assert_eq!(Retry::times(3).pause(0), Duration::from_millis(250));
    /// ```
    #[must_use]
    pub fn times(times: usize) -> Self {
        Self { times, first: Duration::from_millis(250), longest: Duration::from_secs(10) }
    }

    /// How long to wait before asking for the second time.
    #[must_use]
    pub fn first_pause(mut self, pause: Duration) -> Self {
        self.first = pause;
        self
    }

    /// How long to wait at most.
    #[must_use]
    pub fn longest_pause(mut self, pause: Duration) -> Self {
        self.longest = pause;
        self
    }

    /// How long to wait after this many failed retries: twice as long each time, up to the longest.
    ///
    /// ```
    /// use agui_runtime::client::middleware::Retry;
    /// use std::time::Duration;
    ///
    /// let retry = Retry::times(5).first_pause(Duration::from_secs(1)).longest_pause(Duration::from_secs(3));
    /// assert_eq!([0, 1, 2].map(|retries| retry.pause(retries).as_secs()), [1, 2, 3]);
    /// ```
    #[must_use]
    pub fn pause(&self, retries: usize) -> Duration {
        let doublings = u32::try_from(retries).unwrap_or(u32::MAX).min(31);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }
}

/// Asks again when the server cannot be reached or is busy, as long as nothing of the run has come.
///
/// It does so only where the run has certainly not begun
/// ([`is_worth_another_try`](ClientError::is_worth_another_try)): a request that may have been acted upon is not sent twice, for AG-UI
/// has no resumption (section "HTTP exchange"). What has not begun keeps its ids.
///
/// Pauses need tokio's timers.
///
/// ```
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) {
/// let session: Session = Session::new(upstream).with(middleware::retry(middleware::Retry::times(3)));
/// # }
/// ```
pub fn retry(retry: Retry) -> impl Middleware {
    move |input: RunAgentInput, next: Next| -> Frames {
        let attempt = Attempt { retry, next, input: Some(input), retries: 0, frames: None };
        stream::unfold(attempt, |mut attempt| async {
            let frame = attempt.frame().await?;
            Some((frame, attempt))
        })
        .boxed()
    }
}

struct Attempt {
    retry: Retry,
    next: Next,
    /// What to ask with again; `None` once something has come.
    input: Option<RunAgentInput>,
    retries: usize,
    frames: Option<Frames>,
}

impl Attempt {
    async fn frame(&mut self) -> Option<Result<Frame, ClientError>> {
        loop {
            let frames = match (&mut self.frames, &self.input) {
                (Some(frames), _) => frames,
                (frames, Some(input)) => frames.insert(self.next.open(input.clone())),
                (None, None) => return None,
            };
            match frames.next().await {
                Some(Err(error))
                    if self.input.is_some()
                        && self.retries < self.retry.times
                        && error.is_worth_another_try() =>
                {
                    let pause = self.retry.pause(self.retries);
                    tracing::debug!(error = %quoted(&error), ?pause, "the run has not begun and is asked for again");
                    self.frames = None;
                    self.retries += 1;
                    tokio::time::sleep(pause).await;
                }
                other => {
                    self.input = None;
                    return other;
                }
            }
        }
    }
}
