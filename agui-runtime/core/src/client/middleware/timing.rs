//! Middleware that measures runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;

use super::{Middleware, Next};
use crate::client::Frames;
use crate::protocol::{RunAgentInput, RunId};

/// A run's duration, as the reader saw the run.
///
/// ```
/// # use agui_runtime::client::middleware::Timing;
/// # fn example(timing: &Timing) {
/// let frames_a_second = timing.frames as f64 / timing.whole.as_secs_f64();
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// The run.
    pub run_id: RunId,
    /// The time until the first frame; `None` without frames.
    pub first: Option<Duration>,
    /// The time until the end, or until the frames were dropped.
    pub whole: Duration,
    /// The number of frames.
    pub frames: usize,
}

/// Calls a function with each run's duration, after the run ended or was dropped.
///
/// ```
/// use std::sync::mpsc;
///
/// use agui_runtime::client::{Replay, Session, middleware};
/// # use futures::FutureExt;
///
/// let replay = Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#);
/// let (over, runs) = mpsc::channel();
/// let mut session: Session = Session::new(replay).with(middleware::timing(move |timing| {
///     let _ = over.send(timing);
/// }));
/// session.run().now_or_never().unwrap()?;
/// let timing = runs.try_recv().unwrap();
/// assert!(timing.frames == 1 && timing.first <= Some(timing.whole));
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
pub fn timing(tell: impl Fn(Timing) + Send + Sync + 'static) -> impl Middleware {
    let tell = Arc::new(tell);
    move |input: RunAgentInput, next: Next| -> Frames {
        let mut watch = Watch {
            tell: Arc::clone(&tell),
            run_id: input.run_id.clone(),
            started: Instant::now(),
            first: None,
            frames: 0,
        };
        next.open(input)
            .inspect(move |frame| {
                // The closure must capture the whole struct, so that it lives as long as the stream.
                let watch = &mut watch;
                if frame.is_ok() {
                    watch.frames += 1;
                    watch.first.get_or_insert_with(|| watch.started.elapsed());
                }
            })
            .boxed()
    }
}

struct Watch<T: Fn(Timing)> {
    tell: Arc<T>,
    run_id: RunId,
    started: Instant,
    first: Option<Duration>,
    frames: usize,
}

/// An ended run and a dropped run look the same here: the stream is dropped.
impl<T: Fn(Timing)> Drop for Watch<T> {
    fn drop(&mut self) {
        (self.tell)(Timing {
            run_id: self.run_id.clone(),
            first: self.first,
            whole: self.started.elapsed(),
            frames: self.frames,
        });
    }
}
