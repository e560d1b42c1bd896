//! Run recording: every event, even after the reader is gone.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::agent::ends::stop::discard;
use crate::protocol::Event;

/// Observes every run event, including events that a disconnected client missed; see
/// [`RunOptions::recorder`](crate::RunOptions::recorder).
///
/// Every `Fn(&Event)` that is `Send + Sync` implements this trait. The runtime calls the recorder outside all locks, in the task
/// that polls or drops the stream, so a slow recorder delays the run: pass the event on instead of storing it there. A recorder
/// that panics is not called again.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use agui_runtime::EventRecorder;
/// use agui_runtime::protocol::Event;
///
/// #[derive(Default)]
/// struct Counter(AtomicUsize);
///
/// impl EventRecorder for Counter {
///     fn record(&self, _: &Event) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
/// # let options = agui_runtime::RunOptions::default().recorder(Counter::default());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not record events",
    label = "not a recorder",
    note = "pass a closure `move |event: &Event| ..` that is `Send + Sync + 'static`, or implement `EventRecorder`"
)]
pub trait EventRecorder: Send + Sync + 'static {
    /// Records one event.
    fn record(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync + 'static> EventRecorder for F {
    fn record(&self, event: &Event) {
        self(event);
    }
}

/// One run's recorder.
#[derive(Clone)]
pub(in crate::agent) struct RunRecording(Arc<dyn EventRecorder>);

impl RunRecording {
    pub(in crate::agent) fn by(recorder: impl EventRecorder) -> Self {
        Self(Arc::new(recorder))
    }

    /// Passes the event to the recorder, unless the recorder has panicked.
    pub(super) fn show(recording: &mut Option<Self>, event: &Event) {
        if let Some(Self(recorder)) = recording
            && let Err(panic) = catch_unwind(AssertUnwindSafe(|| recorder.record(event)))
        {
            tracing::error!(event = %event.event_type(), "the recorder panicked; nothing more is recorded of this run");
            discard(panic);
            discard(recording.take());
        }
    }
}

impl fmt::Debug for RunRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recording")
    }
}
