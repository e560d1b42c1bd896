//! Operations between two values of which nobody keeps a copy.

use super::engine::{Patch, Path};
use super::{State, StateError, text_value};
use crate::protocol::{JsonPointer, PatchOperation};

/// The operations that turn one state into another (RFC 6902); none when their JSON is the same.
///
/// The inverse of [`apply`](super::apply()): `apply(&mut old, &diff(&old, &now)?)` leaves `now`. For tests, logs and undo.
/// An agent does not need it: the state of a run, and [`Shadow`](super::Shadow), keep what was sent and copy only what
/// differs, where this copies all of `old`.
///
/// # Errors
/// [`StateError::Json`] when something has no JSON form.
///
/// ```
/// use agui_runtime::{apply, diff};
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
    let mut patch = Patch::default();
    old.clone().sync(now, &Path::root(), &mut patch);
    if let Some(error) = patch.take_error() {
        return Err(error.into());
    }
    if !patch.is_complete() {
        return Ok(vec![PatchOperation::add(JsonPointer::root(), text_value(now)?)]);
    }
    Ok(serde_json::from_str(patch.close()?)?)
}
