//! Limits on the work that patches do: a few bytes can move a million elements.

use serde_json::Value;

use super::PatchFault;

/// The steps that one patch's operations may take, 2²⁶: tenths of a second.
pub const MAX_PATCH_STEPS: usize = 1 << 26;

/// The steps that all patches in a run may take by default, 2³⁰.
pub const MAX_STEPS: usize = 1 << 30;

/// The number of text bytes copied in one step.
const TEXT: usize = 64;

/// The steps that patches may still take.
///
/// A step is one list element that an insertion or a removal moves, or one value that a `copy` or a `move` visits. Other work
/// depends on the operation's own length and is not counted. One patch takes at most [`MAX_PATCH_STEPS`]. Steps are counted rather
/// than timed, so a stream gives the same result on every machine.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::json::patch::{CopyLimit, PatchFault, StepLimit, patch_within};
/// use serde_json::{Value, json};
///
/// let mut document: Value = (0..1000).collect();
/// let to_the_end = PatchOperation::move_(JsonPointer::root().child("0"), JsonPointer::root().child("-"));
/// let mut steps = StepLimit::up_to(5_000);
/// let error = patch_within(&mut document, &vec![to_the_end; 10], &mut CopyLimit::default(), &mut steps).unwrap_err();
/// assert_eq!((error.op, error.fault), (5, PatchFault::TooManySteps { limit: 5_000 }));
/// assert_eq!(document[0], 0, "nothing of the patch was applied");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepLimit {
    limit: usize,
    left: usize,
    /// The current patch's remaining steps.
    left_of_patch: usize,
}

impl StepLimit {
    /// Sets the limit for all steps.
    #[must_use]
    pub fn up_to(steps: usize) -> Self {
        Self { limit: steps, left: steps, left_of_patch: MAX_PATCH_STEPS }
    }

    /// Returns the limit for all steps.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the remaining steps.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    pub(crate) fn begin_patch(&mut self) {
        self.left_of_patch = MAX_PATCH_STEPS;
    }

    /// Creates a limit that no patch reaches.
    pub(super) fn unbounded() -> Self {
        Self { limit: usize::MAX, left: usize::MAX, left_of_patch: usize::MAX }
    }

    /// Takes `steps` steps before they are done. A patch that does not apply does not give them back.
    pub(super) fn take(&mut self, steps: usize) -> Result<(), PatchFault> {
        let Some(left) = self.left.checked_sub(steps) else {
            return Err(PatchFault::TooManySteps { limit: self.limit });
        };
        let Some(left_of_patch) = self.left_of_patch.checked_sub(steps) else {
            return Err(PatchFault::TooManySteps { limit: MAX_PATCH_STEPS });
        };
        (self.left, self.left_of_patch) = (left, left_of_patch);
        Ok(())
    }

    /// Takes the steps for visiting or copying a value.
    pub(crate) fn take_for(&mut self, value: &Value) -> Result<(), PatchFault> {
        match value {
            Value::String(text) => self.take(1 + text.len() / TEXT),
            Value::Array(items) => {
                self.take(1)?;
                items.iter().try_for_each(|item| self.take_for(item))
            }
            Value::Object(members) => {
                self.take(1)?;
                members.iter().try_for_each(|(name, member)| {
                    self.take(name.len() / TEXT)?;
                    self.take_for(member)
                })
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => self.take(1),
        }
    }
}

impl Default for StepLimit {
    fn default() -> Self {
        Self::up_to(MAX_STEPS)
    }
}
