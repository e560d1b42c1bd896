//! Limits of the growth by patches.

use serde_json::Value;

use super::Reducer;
use crate::json::limits::size;
use crate::json::patch::{Copies, PatchError, PatchFault, Steps};
use crate::protocol::Message;

impl Reducer {
    /// Sets the number of bytes that `copy` operations may add to the state and all activities together;
    /// the default is [`MAX_COPIED`](crate::json::patch::MAX_COPIED). A patch beyond the limit does not
    /// apply, with a warning; copies that were removed again do not count.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPatch, JsonPointer, PatchOperation, StateDeltaEvent};
    /// use agui_runtime::receive::Reducer;
    /// use serde_json::json;
    ///
    /// let mut reducer = Reducer::new().with_state(json!({ "list": [] })).with_copy_limit(1 << 10);
    /// let double = PatchOperation::copy(JsonPointer::root(), JsonPointer::root().child("list").child("-"));
    /// let bomb: JsonPatch = (0..40).map(|_| double.clone()).collect();
    /// let warning = reducer.apply(&StateDeltaEvent::new(bomb).into())?.warning.unwrap();
    /// assert!(warning.to_string().ends_with("at `/list/-`: the copies would have more than 1024 bytes"), "{warning}");
    /// assert_eq!(*reducer.state(), json!({ "list": [] }));
    /// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
    /// ```
    #[must_use]
    pub fn with_copy_limit(mut self, bytes: usize) -> Self {
        self.copies = Copies::up_to(bytes);
        self
    }

    /// Sets the number of steps that the patches of a run may take; the default is
    /// [`MAX_STEPS`](crate::json::patch::MAX_STEPS): see [`Steps`]. A patch beyond the limit does not
    /// apply, with a warning.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPatch, JsonPointer, PatchOperation, StateDeltaEvent};
    /// use agui_runtime::receive::Reducer;
    ///
    /// let mut reducer = Reducer::new().with_state((0..1000).collect()).with_step_limit(500);
    /// let to_the_end = PatchOperation::move_(JsonPointer::root().child("0"), JsonPointer::root().child("-"));
    /// let warning = reducer.apply(&StateDeltaEvent::new(JsonPatch::from([to_the_end])).into())?.warning.unwrap();
    /// assert!(warning.to_string().ends_with("patches may take at most 500 steps"), "{warning}");
    /// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
    /// ```
    #[must_use]
    pub fn with_step_limit(mut self, steps: usize) -> Self {
        self.steps = Steps::up_to(steps);
        self
    }

    /// Measures the existing data, because copied data may have been removed; returns true if that makes
    /// room.
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

/// Returns true if a patch does not apply because of the limit of copies.
pub(super) fn is_too_much(error: &PatchError) -> bool {
    matches!(error.fault, PatchFault::TooMuch { .. })
}
