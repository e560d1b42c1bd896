//! The definition of a correct patch, checked for every type and case in the engine's tests.

use std::fmt::Debug;

use serde_json::Value;

use super::StateNode;
use super::engine::{JsonOut, PatchText};

mod applying;
mod arrays;
mod moving;
mod scalars;
mod tracking;
mod values;

/// Returns a value's JSON, as a reader sees the text.
pub(super) fn json<T: StateNode>(value: &T) -> Value {
    crate::json::to_value(value).unwrap()
}

/// Makes `sent` equal to `now` and returns the operations.
pub(super) fn synced<T: StateNode>(sent: &mut T, now: &T) -> String {
    let mut patch = PatchText::default();
    patch.bring(sent, now);
    patch.close().unwrap().to_owned()
}

pub(super) fn applied(document: &Value, ops: &str) -> Value {
    let patch: json_patch::Patch = serde_json::from_str(ops).unwrap_or_else(|error| panic!("{error}: {ops}"));
    let mut document = document.clone();
    json_patch::patch(&mut document, &patch).unwrap_or_else(|error| panic!("{error}: {ops} on {document}"));
    document
}

/// Checks every part of the definition for one pair and returns the operations.
#[track_caller]
pub(super) fn check<T: StateNode + Debug>(old: &T, now: &T) -> String {
    let mut sent = old.clone();
    let ops = synced(&mut sent, now);
    let context = || format!("{old:?}\n-> {now:?}\n{ops}");
    let (before, after) = (json(old), json(now));
    assert!(crate::json::same(&applied(&before, &ops), &after), "applied\n{}", context());
    let is_same = crate::json::same(&before, &after);
    assert_eq!(ops == "[]", is_same, "empty\n{}", context());
    assert_eq!(old.same(now), is_same, "same\n{}", context());
    assert!(sent.same(now) && crate::json::same(&json(&sent), &after), "sent {sent:?}\n{}", context());
    assert_eq!(synced(&mut sent, now), "[]", "again\n{}", context());
    for value in [old, now] {
        let mut text = JsonOut::default();
        value.write(&mut text);
        let text = text.finish().unwrap();
        assert_eq!(text, serde_json::to_string(value).unwrap(), "written");
        assert!(value.floor() <= text.len() && T::MIN <= text.len(), "floor of {text}");
        assert_eq!(value.is_null(), text == "null");
    }
    check_paths(&ops);
    check_budgets(old, now, &ops);
    ops
}

/// Checks that a pass gives up early only on a patch that would be too long, and copies everything even then.
#[track_caller]
fn check_budgets<T: StateNode + Debug>(old: &T, now: &T, ops: &str) {
    let least = old.least_change(now, 0);
    // One byte more for the comma that the first operation lacks.
    assert!(least < ops.len(), "{least} for {ops}");
    for budget in [ops.len() / 4, ops.len() / 2, ops.len() - 1, ops.len(), ops.len() + 1] {
        let (mut sent, mut patch) = (old.clone(), PatchText::default());
        patch.restart(budget, false);
        patch.bring(&mut sent, now);
        assert!(sent.same(now), "budget {budget}: {sent:?}\n{now:?}\n{ops}");
        let fits = patch.is_complete() && patch.length() <= budget;
        assert_eq!(fits, ops.len() <= budget, "budget {budget}, {} B: {ops}", ops.len());
    }
}

/// Checks that no path has a segment that the JavaScript client's patch library refuses.
#[track_caller]
fn check_paths(ops: &str) {
    for op in serde_json::from_str::<Vec<Value>>(ops).unwrap() {
        for path in ["path", "from"].iter().filter_map(|path| op[*path].as_str()) {
            assert!(!path.split('/').any(|segment| segment == "__proto__"), "{ops}");
            assert!(!path.contains("/constructor/prototype"), "{ops}");
        }
    }
}
