//! Connects activity content to the change tracking for shared state; the only module that knows both.

use serde_json::Value;

use super::{Activity, ActivityError};
use crate::protocol::{JsonObject, JsonPatch, PatchOperation};
use crate::state::{self, Shadow, StateError};

/// The client's copy of an activity, and the function that finds changes.
///
/// The function is chosen where the activity is opened, so that only this call requires the `Activity` bound: a forgotten derive
/// then gives one error, not one for each use of the handle.
pub(super) struct ActivityContent<T> {
    kind: &'static str,
    shadow: Shadow<T>,
    flush: FlushContentFn<T>,
}

type FlushContentFn<T> = for<'s> fn(&'s mut Shadow<T>, &T) -> Result<state::StateChange<'s>, StateError>;

/// Starts tracking, and returns the whole content, which must be sent.
pub(super) type TrackContentFn<T> = fn(&T) -> Result<(ActivityContent<T>, JsonObject), ActivityError>;

/// The change that brings the client up to date.
pub(super) enum ActivityChange {
    Delta(JsonPatch),
    Whole(JsonObject),
}

impl<T: Activity> ActivityContent<T> {
    pub(super) fn new(value: &T) -> Result<(Self, JsonObject), ActivityError> {
        let activity = T::TYPE;
        let (shadow, text) =
            Shadow::start(value).map_err(|source| ActivityError::Json { activity, source })?;
        let content = Self { kind: activity, shadow, flush: Shadow::flush };
        Ok((content, object(activity, &text)?))
    }

    /// Starts tracking with every change sent as a delta, however long.
    pub(super) fn in_deltas(value: &T) -> Result<(Self, JsonObject), ActivityError> {
        let (content, whole) = Self::new(value)?;
        Ok((Self { shadow: content.shadow.deltas(true), ..content }, whole))
    }
}

impl<T> ActivityContent<T> {
    /// Returns the activity type on the wire.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns the change since the last flush, or `None` if the client is up to date.
    pub(super) fn flush(&mut self, now: &T) -> Result<Option<ActivityChange>, ActivityError> {
        let change = self.change(now);
        if change.is_err() {
            // The copy already contains changes that were not sent to the client.
            self.shadow.lose();
        }
        change
    }

    /// Marks the client's copy as lost: the next flush returns the whole content.
    pub(super) fn lose(&mut self) {
        self.shadow.lose();
    }

    fn change(&mut self, now: &T) -> Result<Option<ActivityChange>, ActivityError> {
        let activity = self.kind;
        let json = |source: StateError| ActivityError::Json { activity, source };
        match (self.flush)(&mut self.shadow, now).map_err(json)? {
            state::StateChange::Nothing => Ok(None),
            state::StateChange::Snapshot(text) => {
                object(activity, text).map(|whole| Some(ActivityChange::Whole(whole)))
            }
            state::StateChange::Delta(text) => {
                let patch = JsonPatch::from_text(text.to_owned()).map_err(|error| json(error.into()))?;
                if leaves_an_object(text, &patch).map_err(|error| json(error.into()))? {
                    Ok(Some(ActivityChange::Delta(patch)))
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

/// True if the patched document is still an object: a value that replaces the whole document must be an object. Only a patch with
/// an empty path is parsed.
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
