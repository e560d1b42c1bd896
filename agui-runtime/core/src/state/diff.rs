//! Operations between two values, without a stored copy.

use super::engine::PatchText;
use super::{State, StateError, text_value};
use crate::protocol::{JsonPointer, PatchOperation};

/// Returns the operations that turn one state into another (RFC 6902); none when both have the same JSON.
///
/// The inverse of [`apply`](super::apply()): `apply(&mut old, &diff(&old, &now)?)` leaves `now`. Use it in tests, logs and undo.
/// An agent does not need it: a run's state, and [`Shadow`](super::Shadow), keep the document last sent and copy only the
/// differences, while this function copies all of `old`.
///
/// # Errors
/// [`StateError::Json`] when a value has no JSON form; in builds with debug assertions [`StateError::WrittenOtherwise`].
///
/// ```
/// use agui_runtime::state::{apply, diff};
///
/// let mut old = vec!["rice".to_owned(), "salt".to_owned()];
/// let now = vec!["rice".to_owned(), "saffron".to_owned(), "salt".to_owned()];
/// let operations = diff(&old, &now)?;
/// assert_eq!(serde_json::to_string(&operations)?, r#"[{"op":"add","path":"/1","value":"saffron"}]"#);
/// apply(&mut old, &operations)?;
/// assert_eq!(old, now);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diff<T: State>(old: &T, now: &T) -> Result<Vec<PatchOperation>, StateError> {
    #[cfg(debug_assertions)]
    [old, now].into_iter().try_for_each(super::serde_form::check_state_form)?;
    let mut patch = PatchText::default();
    patch.bring(&mut old.clone(), now);
    if let Some(error) = patch.take_error() {
        return Err(error.into());
    }
    if !patch.is_complete() {
        return Ok(vec![PatchOperation::add(JsonPointer::root(), text_value(now)?)]);
    }
    Ok(serde_json::from_str(patch.close()?)?)
}
