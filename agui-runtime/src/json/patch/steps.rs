//! Limits of the work of patches: a few bytes can move a million elements.

use serde_json::Value;

use super::PatchFault;

/// The steps that the operations of one patch may take, 2²⁶: tenths of a second.
///
/// ```
/// use agui_runtime::json::patch::{MAX_PATCH_STEPS, MAX_STEPS};
///
/// assert_eq!(MAX_STEPS / MAX_PATCH_STEPS, 16, "the patches of one run may take 16 times as many");
/// ```
pub const MAX_PATCH_STEPS: usize = 1 << 26;

/// The default limit of the steps that all patches of a run may take, 2³⁰.
///
/// ```
/// use agui_runtime::json::patch::{MAX_STEPS, Steps};
///
/// assert_eq!(Steps::default().left(), MAX_STEPS);
/// ```
pub const MAX_STEPS: usize = 1 << 30;

/// The number of bytes of a text that are copied in one step.
const TEXT: usize = 64;

/// The number of steps that patches may still take.
///
/// A step is one element of a list that an insertion or a removal moves, or one value that a `copy` or a
/// `move` visits. Other work of an operation depends on its own length and is not counted. One patch takes
/// at most [`MAX_PATCH_STEPS`]. Steps are counted rather than timed, so a stream gives the same result on
/// every machine.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::json::patch::{Copies, PatchFault, Steps, patch_within};
/// use serde_json::{Value, json};
///
/// let mut document: Value = (0..1000).collect();
/// let to_the_end = PatchOperation::move_(JsonPointer::root().child("0"), JsonPointer::root().child("-"));
/// let mut steps = Steps::up_to(5_000);
/// let error = patch_within(&mut document, &vec![to_the_end; 10], &mut Copies::default(), &mut steps).unwrap_err();
/// assert_eq!((error.op, error.fault), (5, PatchFault::TooManySteps { limit: 5_000 }));
/// assert_eq!(document[0], 0, "nothing of the patch was applied");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    limit: usize,
    left: usize,
    /// The remaining steps of the current patch.
    left_of_patch: usize,
}

impl Steps {
    /// Sets the limit of all steps.
    ///
    /// ```
    /// use agui_runtime::json::patch::Steps;
    ///
    /// assert_eq!(Steps::up_to(100).left(), 100);
    /// ```
    #[must_use]
    pub fn up_to(steps: usize) -> Self {
        Self { limit: steps, left: steps, left_of_patch: MAX_PATCH_STEPS }
    }

    /// Returns the limit of all steps.
    ///
    /// ```
    /// use agui_runtime::json::patch::{MAX_STEPS, Steps};
    ///
    /// assert_eq!(Steps::default().limit(), MAX_STEPS);
    /// ```
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the number of steps that are left.
    ///
    /// ```
    /// use agui_runtime::json::patch::{Copies, Steps, patch_within};
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    /// use serde_json::json;
    ///
    /// let first = PatchOperation::remove(JsonPointer::root().child("0"));
    /// let mut steps = Steps::up_to(100);
    /// patch_within(&mut json!(["rice", "salt", "saffron"]), &[first], &mut Copies::default(), &mut steps)?;
    /// assert!(steps.left() < 100, "two elements moved");
    /// # Ok::<(), agui_runtime::json::patch::PatchError>(())
    /// ```
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

    /// Takes `steps` steps before they are done. The steps of a patch that does not apply count too.
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

impl Default for Steps {
    fn default() -> Self {
        Self::up_to(MAX_STEPS)
    }
}
