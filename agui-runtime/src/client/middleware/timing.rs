//! Measures runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::Frames;
use crate::protocol::{RunAgentInput, RunId};

/// How long a run took, as its reader saw it.
///
/// ```
/// use agui_runtime::client::middleware::Timing;
///
/// fn pace(timing: &Timing) -> f64 {
///     timing.frames as f64 / timing.whole.as_secs_f64()
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// The run.
    pub run_id: RunId,
    /// Until its first frame; `None` if there was none.
    pub first: Option<Duration>,
    /// Until its end, or until its reader left.
    pub whole: Duration,
    /// How many frames there were.
    pub frames: usize,
}

/// Tells how long each run took, when it is over or given up.
///
/// ```
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) {
/// let session: Session = Session::new(upstream).with(middleware::timing(|timing| {
///     tracing::info!(run = %timing.run_id, first = ?timing.first, whole = ?timing.whole, "a run");
/// }));
/// # }
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
                // All of it, so that it lives as long as the stream.
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

/// The end of a run and its reader's leaving look the same from here: the stream is dropped.
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
