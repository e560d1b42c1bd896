//! The documents of the public conformance suite of JSON Patch, and our engine's patch between any two of them.

use agui_runtime::__private::engine::{PatchText, raw};
use serde_json::{Value, json};

/// Every document of the suite, before and after, and some with names that clients refuse in paths.
#[must_use]
pub fn public_documents() -> Vec<Value> {
    let files = [
        include_str!("../../../fixtures/json-patch-tests/tests.json"),
        include_str!("../../../fixtures/json-patch-tests/spec_tests.json"),
    ];
    let cases = files
        .iter()
        .flat_map(|file| serde_json::from_str::<Vec<Value>>(file).unwrap_or_else(|cause| panic!("{cause}")));
    cases
        .filter(|case| case["disabled"] != true)
        .flat_map(|mut case| [Some(case["doc"].take()), case.get_mut("expected").map(Value::take)])
        .flatten()
        .chain([
            json!({"__proto__": 1}),
            json!({"a": {"__proto__": {"b": 1}}}),
            json!({"constructor": {"prototype": 2}}),
        ])
        .collect()
}

/// The operations from one document to the other, however long they are.
#[must_use]
pub fn engine_patch(old: &Value, now: &Value) -> String {
    let (mut sent, mut patch) = (old.clone(), PatchText::default());
    raw::sync(&mut sent, now, &mut patch).unwrap_or_else(|cause| panic!("{cause}"));
    format!("{}]", String::from_utf8_lossy(raw::open_text(&patch)))
}
