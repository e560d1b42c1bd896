//! Limits on growth by patches.

use serde_json::Value;

use super::Reducer;
use crate::json::limits::size;
use crate::json::patch::{CopyLimit, PatchError, PatchFault, StepLimit};
use crate::protocol::Message;

impl Reducer {
    /// Sets the bytes that `copy` operations may add to the state and all activities together; the default is
    /// [`MAX_COPIED`](crate::json::patch::MAX_COPIED). A patch beyond the limit does not apply, with a warning; copies that were
    /// removed again do not count.
    #[must_use]
    pub fn with_copy_limit(mut self, bytes: usize) -> Self {
        self.copies = CopyLimit::up_to(bytes);
        self
    }

    /// Sets the steps that a run's patches may take; the default is [`MAX_STEPS`](crate::json::patch::MAX_STEPS): see [`StepLimit`]. A
    /// patch beyond the limit does not apply, with a warning.
    #[must_use]
    pub fn with_step_limit(mut self, steps: usize) -> Self {
        self.steps = StepLimit::up_to(steps);
        self
    }

    /// Measures the existing data, because copied data may have been removed; returns true if that makes room.
    #[cold]
    pub(super) fn make_room(&mut self) -> bool {
        let is_within = |value: &Value| self.steps.take_for(value).is_ok();
        let contents = self.conversation.messages().iter().filter_map(|message| match message {
            Message::Activity(activity) => Some(activity.content.values()),
            _ => None,
        });
        if !std::iter::once(&self.state).chain(contents.flatten()).all(is_within) {
            return false;
        }
        let activities = self.conversation.messages().iter().map(|message| match message {
            Message::Activity(activity) => activity.content.values().map(size).sum(),
            _ => 0_usize,
        });
        let held = activities.fold(size(&self.state), usize::saturating_add);
        self.copies.holding(held)
    }
}

/// Returns true if the copy limit keeps a patch from applying.
pub(super) fn is_too_much(error: &PatchError) -> bool {
    matches!(error.fault, PatchFault::TooMuch { .. })
}
