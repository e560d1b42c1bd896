//! The frames of an answer, as they came.

use std::sync::{Mutex, PoisonError};

use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};

/// The frames that have come and were not read.
#[derive(Debug, Default)]
pub(super) struct Frames(Mutex<Vec<String>>);

impl Frames {
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ChatFrameSink for Frames {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        // A comment that keeps the connection open has no data.
        if !frame.data.is_empty() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(frame.data.to_owned());
        }
    }
}
