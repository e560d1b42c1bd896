//! How the content of an activity is followed: by what follows the shared state. The only place that knows.

use serde_json::Value;

use super::{Activity, ActivityError};
use crate::protocol::{JsonObject, JsonPatch, PatchOperation};
use crate::state::{self, Shadow, StateError};

/// What the client holds of an activity, and how to find out what changed.
///
/// The how is taken where the activity is shown, so that only there the type must be an activity: a derive that was
/// forgotten is one error, not one for each use of the handle.
pub(super) struct Content<T> {
    kind: &'static str,
    shadow: Shadow<T>,
    flush: Flush<T>,
}

type Flush<T> = for<'s> fn(&'s mut Shadow<T>, &T) -> Result<state::Change<'s>, StateError>;

/// How following begins: with the whole content beside it, which is to be sent.
pub(super) type Follow<T> = fn(&T) -> Result<(Content<T>, JsonObject), ActivityError>;

/// What brings the client up to date.
pub(super) enum Change {
    Delta(JsonPatch),
    Whole(JsonObject),
}

impl<T: Activity> Content<T> {
    pub(super) fn of(value: &T) -> Result<(Self, JsonObject), ActivityError> {
        let activity = T::TYPE;
        let (shadow, text) =
            Shadow::start(value).map_err(|source| ActivityError::Json { activity, source })?;
        let content = Self { kind: activity, shadow, flush: Shadow::flush };
        Ok((content, object(activity, &text)?))
    }

    /// The same, with every change told as a delta, however long it is.
    pub(super) fn in_deltas(value: &T) -> Result<(Self, JsonObject), ActivityError> {
        let (content, whole) = Self::of(value)?;
        Ok((Self { shadow: content.shadow.deltas(true), ..content }, whole))
    }
}

impl<T> Content<T> {
    /// The activity's type on the wire.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// `None` when the client is up to date.
    pub(super) fn flush(&mut self, now: &T) -> Result<Option<Change>, ActivityError> {
        let change = self.change(now);
        if change.is_err() {
            // The copy has moved on to what the client was not told.
            self.shadow.lose();
        }
        change
    }

    /// The client does not hold it any more: the next flush gives it whole.
    pub(super) fn lose(&mut self) {
        self.shadow.lose();
    }

    fn change(&mut self, now: &T) -> Result<Option<Change>, ActivityError> {
        let activity = self.kind;
        let json = |source: StateError| ActivityError::Json { activity, source };
        match (self.flush)(&mut self.shadow, now).map_err(json)? {
            state::Change::Nothing => Ok(None),
            state::Change::Snapshot(text) => object(activity, text).map(|whole| Some(Change::Whole(whole))),
            state::Change::Delta(text) => {
                let patch = JsonPatch::from_text(text.to_owned()).map_err(|error| json(error.into()))?;
                if leaves_an_object(text, &patch).map_err(|error| json(error.into()))? {
                    Ok(Some(Change::Delta(patch)))
                } else {
                    Err(ActivityError::NotAnObject { activity })
                }
            }
        }
    }
}

fn object(activity: &'static str, text: &str) -> Result<JsonObject, ActivityError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(content)) => Ok(content),
        Ok(_) => Err(ActivityError::NotAnObject { activity }),
        Err(error) => Err(ActivityError::Json { activity, source: error.into() }),
    }
}

/// Whether an object is still one afterwards: what replaces the whole must be an object. Only a patch that may name the
/// whole is read.
fn leaves_an_object(text: &str, patch: &JsonPatch) -> Result<bool, serde_json::Error> {
    if !text.contains(r#""path":"""#) {
        return Ok(true);
    }
    Ok(patch.operations()?.iter().all(|operation| match operation {
        PatchOperation::Add(add) => !add.path.as_str().is_empty() || add.value.is_object(),
        PatchOperation::Replace(replace) => !replace.path.as_str().is_empty() || replace.value.is_object(),
        _ => true,
    }))
}
