//! The work that patches may cost: a few bytes can move a million elements aside.

use serde_json::Value;

use super::PatchFault;

/// The steps that the operations of one patch may take, 2²⁶: tenths of a second.
pub const MAX_PATCH_STEPS: usize = 1 << 26;

/// The steps that all patches of a run may take when nothing else is said, 2³⁰.
pub const MAX_STEPS: usize = 1 << 30;

/// So many bytes of a text are copied in one step.
const TEXT: usize = 64;

/// How many more steps patches may take.
///
/// A step is one element of a list that an insertion or a removal moves aside, or one value that a `copy` or a `move`
/// looks at. What an operation costs besides depends on its own length, and is no step. One patch takes at most
/// [`MAX_PATCH_STEPS`]; steps are counted and not timed, so that a stream ends in the same way everywhere.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::receive::patch::{Copies, PatchFault, Steps, patch_within};
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
    /// Of the patch at hand.
    left_of_patch: usize,
}

impl Steps {
    /// So many steps in all.
    #[must_use]
    pub fn up_to(steps: usize) -> Self {
        Self { limit: steps, left: steps, left_of_patch: MAX_PATCH_STEPS }
    }

    /// How many steps there may be.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// How many steps are left of them.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    pub(crate) fn begin_patch(&mut self) {
        self.left_of_patch = MAX_PATCH_STEPS;
    }

    /// Before so many steps are taken. Steps of a patch that does not apply were taken all the same.
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

    /// Before a value is walked over or copied.
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
