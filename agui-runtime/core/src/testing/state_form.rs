//! Comparison of what a state sends with what serde writes.

use crate::state::serde_form::check_state_form;
use crate::state::{State, StateError};

/// Checks that `#[derive(State)]` writes each sample as serde does.
///
/// A type whose `Serialize` is not that of serde's derive, such as one of serde_repr, of serde_with or written by hand, needs
/// `#[state(opaque)]`: the derive cannot see the difference. Choose samples in which every variant of every enum occurs. Runs
/// check the same in builds with debug assertions, with the values that they have.
///
/// # Errors
/// [`StateError::WrittenOtherwise`], with the place and the type; [`StateError::Json`] when a sample has no JSON form.
///
/// ```
/// use agui_runtime::State;
/// use agui_runtime::state::StateError;
/// use agui_runtime::testing::check_state;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize, Serializer};
///
/// #[derive(State, Deserialize, JsonSchema, Clone)]
/// struct Degrees(f64);
///
/// impl Serialize for Degrees {
///     fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
///         out.collect_str(&format_args!("{}°", self.0))
///     }
/// }
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Oven {
///     heat: Degrees,
/// }
///
/// match check_state(&[Oven { heat: Degrees(180.0) }]) {
///     Err(StateError::WrittenOtherwise { path, type_name, .. }) => {
///         assert_eq!((path.as_str(), type_name.as_str()), ("/heat", "Degrees"));
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
pub fn check_state<S: State>(samples: &[S]) -> Result<(), StateError> {
    samples.iter().try_for_each(check_state_form)
}

/// Asserts that `#[derive(State)]` writes each sample as serde does; see [`check_state`].
///
/// # Panics
/// If [`check_state`] fails, with the place, the type, and both forms.
///
/// ```
/// use agui_runtime::State;
/// use agui_runtime::testing::assert_state_matches;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Oven {
///     heat: f64,
/// }
///
/// assert_state_matches(&[Oven { heat: 0.0 }, Oven { heat: 180.5 }]);
/// ```
#[track_caller]
pub fn assert_state_matches<S: State>(samples: &[S]) {
    let wrong = check_state(samples).err().map(|error| error.to_string());
    assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
}
