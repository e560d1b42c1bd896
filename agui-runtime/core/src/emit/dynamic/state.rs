//! A legacy client's shared state, changed by a forwarded stream.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::DynamicError;
use crate::emit::RunShared;
use crate::json::patch::{MAX_DEPTH, PatchError, PatchFault};
use crate::kernel::{RunKernel, SpanSlot, WriteFields};
use crate::protocol::{Event, JsonDocument, StateSnapshotEvent};
use crate::state::read_sent;

/// Records a legacy client's state before the first delta: the state that the client sent, or `{}`. A state whose value tree would
/// exceed the memory limit is not read.
pub(super) fn learn(kernel: &mut RunKernel, event: &Event, shared: &RunShared) {
    if let Event::StateDelta(_) = event
        && let Some(held) = kernel.legacy_state()
        && held.document.is_none()
    {
        held.document = Some(match &shared.input().state {
            // No delta applies to a state that is not read.
            Some(sent) => read_sent(sent.lazy(), shared.allowance(), "/state")
                .ok()
                .and_then(Result::ok)
                .unwrap_or(Value::Null),
            None => Value::Object(Map::new()),
        });
    }
}

/// Sends a state event. A delta for a legacy client must apply, because any other delta ends the CopilotKit runtime process
/// ([`RunKernel::owes_state`]). Clients without that runtime ignore such a delta.
pub(super) fn say(
    kernel: &mut RunKernel,
    by: SpanSlot,
    event: Event,
    fields: WriteFields,
) -> Result<(), DynamicError> {
    let owes = kernel.owes_state();
    let mut owed = None;
    if let Some(held) = kernel.legacy_state() {
        match &event {
            Event::StateDelta(delta) => {
                let operations = delta.delta.operations().map_err(|_| unreadable())?;
                let before = if owes { held.document.clone() } else { None };
                held.patch(&operations)?;
                owed = before.map(|document| StateSnapshotEvent::new(JsonDocument::from(document)).into());
            }
            Event::StateSnapshot(snapshot) => {
                // No delta applies to a state that cannot be read.
                held.document = Some(snapshot.snapshot.value().map(Cow::into_owned).unwrap_or_default());
            }
            _ => {}
        }
    }
    kernel.change_state(by, owed, event, fields);
    Ok(())
}

/// The error for operations that are stored as text because they are too deep to parse.
fn unreadable() -> PatchError {
    PatchError { op: 0, path: String::new(), fault: PatchFault::TooDeep { limit: MAX_DEPTH } }
}
