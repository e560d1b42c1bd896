//! A recorder that keeps the events of a run.

use std::sync::{Arc, Mutex, PoisonError};

use crate::agent::EventRecorder;
use crate::protocol::Event;

/// A [`EventRecorder`] that keeps every event, including those that a client did not read because it left.
/// Clones share one list.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing::{self, Recording};
/// use futures::StreamExt;
///
/// /// Thinks, and never ends by itself.
/// #[agent]
/// async fn thinker(run: &mut Run<Thinker>, input: Input<Thinker>) -> Result<(), Stop> {
///     let _text = run.message().await;
///     std::future::pending().await
/// }
///
/// # fn main() {
/// # futures::executor::block_on(async {
/// let recording = Recording::new();
/// let options = testing::options().recorder(recording.clone());
/// let mut run = agui_runtime::start(std::sync::Arc::new(Thinker::new()), testing::input("Hi"), options);
/// run.next().await; // the client reads RUN_STARTED, and leaves
/// drop(run);
/// testing::assert_events!(recording.events(), [RunStarted, TextMessageStart, TextMessageEnd, RunFinished]);
/// # });
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recording(Arc<Mutex<Vec<Event>>>);

impl Recording {
    /// Creates an empty recording.
    ///
    /// ```
    /// use agui_runtime::testing::Recording;
    ///
    /// assert!(Recording::new().events().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the events so far.
    ///
    /// ```
    /// use agui_runtime::EventRecorder;
    /// use agui_runtime::protocol::StepStartedEvent;
    /// use agui_runtime::testing::Recording;
    ///
    /// let recording = Recording::new();
    /// recording.record(&StepStartedEvent::new("plan").into());
    /// assert_eq!(recording.events().len(), 1);
    /// ```
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl EventRecorder for Recording {
    fn record(&self, event: &Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    }
}
