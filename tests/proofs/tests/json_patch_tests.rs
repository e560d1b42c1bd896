//! The public conformance suite of JSON Patch: our applier on its cases, our differ on its documents.

use agui_proofs::patching::{engine_patch, public_documents};
use agui_runtime::protocol::{JsonPatch, PatchOperation};
use agui_runtime::state::apply;
use serde_json::Value;

struct Case {
    name: String,
    document: Value,
    patch: Value,
    expected: Option<Value>,
    is_error: bool,
}

fn cases() -> Vec<Case> {
    let files = [
        include_str!("../../fixtures/json-patch-tests/tests.json"),
        include_str!("../../fixtures/json-patch-tests/spec_tests.json"),
    ];
    let all = files.iter().flat_map(|file| serde_json::from_str::<Vec<Value>>(file).unwrap());
    all.enumerate()
        .filter(|(_, case)| case["disabled"] != true)
        .map(|(index, mut case)| Case {
            name: format!(
                "{index}: {}",
                case["comment"].as_str().or(case["error"].as_str()).unwrap_or_default()
            ),
            document: case["doc"].take(),
            patch: case["patch"].take(),
            expected: case.get("expected").cloned(),
            is_error: case.get("error").is_some(),
        })
        .collect()
}

/// JSON has one kind of number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn the_applier_passes() {
    let (mut applied, mut refused) = (0, 0);
    for case in cases() {
        let mut document = case.document.clone();
        let result = serde_json::from_value::<Vec<PatchOperation>>(case.patch.clone())
            .map_err(|error| error.to_string())
            .and_then(|patch| apply(&mut document, &patch).map_err(|error| error.to_string()));
        if case.is_error {
            assert!(result.is_err(), "{}: {} on {}", case.name, case.patch, case.document);
            assert_eq!(document, case.document, "{}: all or nothing", case.name);
            refused += 1;
        } else {
            result.unwrap_or_else(|error| panic!("{}: {error}", case.name));
            if let Some(expected) = &case.expected {
                assert!(same(&document, expected), "{}: {document}", case.name);
            }
            applied += 1;
        }
    }
    assert_eq!((applied, refused), (74, 34));
}

#[test]
fn the_difference_of_any_two_of_its_documents_leads_from_one_to_the_other() {
    let documents = public_documents();
    let mut patches = 0;
    for old in &documents {
        for now in &documents {
            let patch = engine_patch(old, now);
            let parsed: JsonPatch = serde_json::from_str(&patch).unwrap();
            let operations = parsed.operations().unwrap();
            assert_eq!(operations.is_empty(), same(old, now), "{old} -> {now}: {patch}");
            let mut theirs = old.clone();
            json_patch::patch(&mut theirs, &serde_json::from_str::<json_patch::Patch>(&patch).unwrap())
                .unwrap();
            let mut ours = old.clone();
            apply(&mut ours, &operations).unwrap();
            assert!(same(&ours, now) && same(&theirs, now), "{old} -> {now}: {patch}");
            patches += usize::from(!operations.is_empty());
        }
    }
    // All but each with itself and with its doubles.
    assert_eq!((documents.len(), patches), (185, 33_218));
}
