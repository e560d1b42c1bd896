//! The client's baseline of the shared state before a change of it.

use agui_runtime::protocol::{Event, JsonPatch, StateDeltaEvent, StateSnapshotEvent};

use super::super::machine::RunKernel;
use super::super::span::ROOT;
use super::{kernel, old_kernel, said};

fn whole() -> Event {
    StateSnapshotEvent::new(serde_json::Value::from(1)).into()
}

fn change(kernel: &mut RunKernel, event: Event) {
    let held = kernel.owes_state().then(whole);
    kernel.change_state(ROOT, held, event, None);
}

fn delta() -> Event {
    StateDeltaEvent::new(JsonPatch::default()).into()
}

pub(super) fn told_first() {
    let mut k = old_kernel();
    k.send(ROOT, agui_runtime::protocol::CustomEvent::new("note", true), None);
    assert_eq!(said(&mut k), ["CUSTOM"], "nothing has changed yet");
    change(&mut k, delta());
    change(&mut k, delta());
    assert_eq!(said(&mut k), ["STATE_SNAPSHOT", "STATE_DELTA", "STATE_DELTA"]);

    let mut k = old_kernel();
    change(&mut k, whole());
    change(&mut k, delta());
    assert_eq!(said(&mut k), ["STATE_SNAPSHOT", "STATE_DELTA"], "a whole state needs none before it");
}

pub(super) fn only_legacy_clients() {
    let mut k = kernel();
    change(&mut k, delta());
    assert_eq!(said(&mut k), ["STATE_DELTA"]);
}
