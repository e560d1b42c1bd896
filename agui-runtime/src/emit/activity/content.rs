//! How the content of an activity is followed: by what follows the shared state. The only place that knows.

use serde_json::Value;

use super::{Activity, ActivityError};
use crate::protocol::{Event, JsonObject, JsonPatch, PatchOperation};
use crate::state::{Shadow, StateError};

/// What the client holds of an activity, and how to find out what changed.
///
/// The how is taken where the activity is shown, so that only there the type must be an activity: a derive that was
/// forgotten is one error, not one for each use of the handle.
pub(super) struct Content<T> {
    kind: &'static str,
    shadow: Shadow,
    flush: fn(&mut Shadow, &T) -> Result<Option<Event>, StateError>,
}

/// How following begins: with the whole content beside it, which is to be sent.
pub(super) type Follow<T> = fn(&T) -> Result<(Content<T>, JsonObject), ActivityError>;

/// What brings the client up to date.
pub(super) enum Change {
    Delta(JsonPatch),
    Whole(JsonObject),
}

impl<T: Activity> Content<T> {
    pub(super) fn of(value: &T) -> Result<(Self, JsonObject), ActivityError> {
        let shadow = Shadow::of(value).map_err(|source| ActivityError::Json { activity: T::TYPE, source })?;
        let whole = shadow.snapshot();
        let content = Self { kind: T::TYPE, shadow, flush: Shadow::flush::<T> };
        match content.change(whole)? {
            Change::Whole(json) => Ok((content, json)),
            Change::Delta(_) => Err(ActivityError::NotAnObject { activity: T::TYPE }),
        }
    }
}

impl<T> Content<T> {
    /// The activity's type on the wire.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// `None` when the client is up to date.
    pub(super) fn flush(&mut self, now: &T) -> Result<Option<Change>, ActivityError> {
        let activity = self.kind;
        let event =
            (self.flush)(&mut self.shadow, now).map_err(|source| ActivityError::Json { activity, source })?;
        event.map(|event| self.change(event)).transpose()
    }

    /// What an event about the state says, without the event.
    fn change(&self, event: Event) -> Result<Change, ActivityError> {
        match event {
            Event::StateSnapshot(event) => match event.snapshot {
                Value::Object(content) => Ok(Change::Whole(content)),
                _ => Err(ActivityError::NotAnObject { activity: self.kind }),
            },
            Event::StateDelta(event) if leaves_an_object(&event.delta) => Ok(Change::Delta(event.delta)),
            _ => Err(ActivityError::NotAnObject { activity: self.kind }),
        }
    }
}

/// Whether an object is still one afterwards: what replaces the whole must be an object.
fn leaves_an_object(patch: &JsonPatch) -> bool {
    patch.iter().all(|operation| match operation {
        PatchOperation::Add(add) => !add.path.as_str().is_empty() || add.value.is_object(),
        PatchOperation::Replace(replace) => !replace.path.as_str().is_empty() || replace.value.is_object(),
        _ => true,
    })
}
