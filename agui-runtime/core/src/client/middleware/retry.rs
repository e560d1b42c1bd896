//! Middleware that repeats requests whose run has not begun.

use std::time::Duration;

use futures_util::{StreamExt, stream};

use super::{Middleware, Next};
use crate::client::{ClientError, Frame, Frames};
use crate::protocol::RunAgentInput;
use crate::quoted::quoted;

/// The number of retries, and the pauses before them.
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
    /// Sets the number of retries. The first pause is a quarter of a second, each further one twice as long, up to 10 seconds.
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

    /// Sets the pause before the first retry.
    #[must_use]
    pub fn first_pause(mut self, pause: Duration) -> Self {
        self.first = pause;
        self
    }

    /// Sets the longest pause.
    #[must_use]
    pub fn longest_pause(mut self, pause: Duration) -> Self {
        self.longest = pause;
        self
    }

    /// Returns the pause after a number of failed retries: doubled each time, up to the longest pause.
    #[must_use]
    pub fn pause(&self, retries: usize) -> Duration {
        let doublings = u32::try_from(retries).unwrap_or(u32::MAX).min(31);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }

    pub(in crate::client) fn limit(&self) -> usize {
        self.times
    }

    pub(in crate::client) fn longest(&self) -> Duration {
        self.longest
    }
}

/// Repeats a request if the server cannot be reached or is busy, until the run's first frame.
///
/// Only a run that has certainly not begun is requested again ([`is_worth_another_try`](ClientError::is_worth_another_try)): AG-UI
/// cannot resume a stream (section "HTTP exchange"), so a request that may have had an effect is never sent twice. A repeated
/// request has the same ids. For servers that store threads, see [`HttpAgent::reconnect`](crate::client::HttpAgent::reconnect).
///
/// Pauses need tokio's timers.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::Duration;
///
/// use agui_runtime::client::middleware::{Retry, retry};
/// use agui_runtime::client::{ClientError, Frames, Replay, Session, Upstream};
/// use agui_runtime::protocol::RunAgentInput;
/// use futures::{StreamExt, stream};
///
/// /// A server that is busy once.
/// struct Busy(AtomicBool);
///
/// impl Upstream for Busy {
///     fn open(&self, input: RunAgentInput) -> Frames {
///         if self.0.swap(false, Ordering::Relaxed) {
///             let busy = ClientError::Status { status: 503, body: String::new(), json: None };
///             return stream::iter([Err(busy)]).boxed();
///         }
///         Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#).open(input)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let retries = Retry::times(3).first_pause(Duration::from_millis(1));
/// let mut session: Session = Session::new(Busy(AtomicBool::new(true))).with(retry(retries));
/// assert!(session.run().await.is_ok());
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
    /// The next attempt's input; `None` after the first frame.
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
                    tracing::debug!(error = %quoted(&error), ?pause, "retrying a request whose run has not begun");
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
