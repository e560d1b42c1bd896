//! The shared state of an old client, changed by a forwarded stream.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::super::Fields;
use super::super::kernel::Kernel;
use super::super::span::Slot;
use super::DynamicError;
use crate::protocol::{Event, JsonDocument, RunAgentInput, StateSnapshotEvent};
use crate::receive::patch::{MAX_DEPTH, PatchError, PatchFault, patch};

/// Notes what an old client holds before the first delta: what it sent, or `{}`.
pub(super) fn learn(kernel: &mut Kernel, event: &Event, input: &RunAgentInput) {
    if let Event::StateDelta(_) = event
        && let Some(held @ None) = kernel.held_state()
    {
        let sent = input.state.as_deref().cloned();
        *held = Some(sent.unwrap_or_else(|| Value::Object(Map::new())));
    }
}

/// Says a state event. A delta for an old client must apply, for a delta that does not ends the process of CopilotKit's runtime
/// ([`Kernel::owes_state`]); a client that reads it by itself leaves it out as well.
pub(super) fn say(kernel: &mut Kernel, by: Slot, event: Event, fields: Fields) -> Result<(), DynamicError> {
    let owes = kernel.owes_state();
    let mut owed = None;
    if let Some(held) = kernel.held_state() {
        match (&event, held) {
            (Event::StateDelta(delta), Some(document)) => {
                let operations = delta.delta.operations().map_err(|_| unreadable())?;
                owed = owes.then(|| StateSnapshotEvent::new(JsonDocument::from(document.clone())).into());
                patch(document, &operations)?;
            }
            (Event::StateSnapshot(snapshot), held) => {
                // What cannot be read is as good as nothing: no delta applies to it.
                *held = Some(snapshot.snapshot.value().map(Cow::into_owned).unwrap_or_default());
            }
            _ => {}
        }
    }
    kernel.change_state(by, owed, event, fields);
    Ok(())
}

/// Operations are written as text where they are too deep to be read.
fn unreadable() -> PatchError {
    PatchError { op: 0, path: String::new(), fault: PatchFault::TooDeep { limit: MAX_DEPTH } }
}
