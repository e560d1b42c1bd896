use std::sync::{Arc, Mutex, PoisonError};

use crate::Recorder;
use crate::protocol::Event;

/// A [`Recorder`] that keeps every event, those a client that left did not see included. Clones share what they keep.
///
/// ```
/// use agui_runtime::testing::{self, Recording};
///
/// # async fn example(chef: std::sync::Arc<impl agui_runtime::Agent>) {
/// let recording = Recording::new();
/// let run = agui_runtime::start(chef, testing::input("Hi"), testing::options().recorder(recording.clone()));
/// drop(run);
/// assert!(recording.events().is_empty(), "nobody looked, so nothing happened");
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recording(Arc<Mutex<Vec<Event>>>);

impl Recording {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What happened so far.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Recorder for Recording {
    fn record(&self, event: &Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    }
}
