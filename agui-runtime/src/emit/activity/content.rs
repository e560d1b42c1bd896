//! How the content of an activity is followed: by what follows the shared state. The only place that knows.

use serde_json::Value;

use super::{Activity, ActivityError};
use crate::protocol::{Event, JsonObject, JsonPatch, PatchOperation};
use crate::state::{Shadow, StateError};

/// What the client holds of an activity.
pub(super) struct Content(Shadow);

/// What brings the client up to date.
pub(super) enum Change {
    Delta(JsonPatch),
    Whole(JsonObject),
}

impl Content {
    pub(super) fn of<T: Activity>(value: &T) -> Result<(Self, JsonObject), ActivityError> {
        let shadow = Shadow::of(value).map_err(unwritable::<T>)?;
        match change::<T>(shadow.snapshot())? {
            Change::Whole(content) => Ok((Self(shadow), content)),
            Change::Delta(_) => Err(ActivityError::NotAnObject { activity: T::TYPE }),
        }
    }

    /// `None` when the client is up to date.
    pub(super) fn flush<T: Activity>(&mut self, now: &T) -> Result<Option<Change>, ActivityError> {
        self.0.flush(now).map_err(unwritable::<T>)?.map(change::<T>).transpose()
    }
}

/// What an event about the state says, without the event.
fn change<T: Activity>(event: Event) -> Result<Change, ActivityError> {
    match event {
        Event::StateSnapshot(event) => match event.snapshot {
            Value::Object(content) => Ok(Change::Whole(content)),
            _ => Err(ActivityError::NotAnObject { activity: T::TYPE }),
        },
        Event::StateDelta(event) if leaves_an_object(&event.delta) => Ok(Change::Delta(event.delta)),
        _ => Err(ActivityError::NotAnObject { activity: T::TYPE }),
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

fn unwritable<T: Activity>(source: StateError) -> ActivityError {
    ActivityError::Json { activity: T::TYPE, source }
}
