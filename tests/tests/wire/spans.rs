//! The spans that the generated clients close when they come back to a run are those of the protocol.

use std::fs;

use agui_runtime::protocol::{EventEffect, EventType};
use agui_tests::outside::workspace_dir;
use serde_json::Value;

/// The texts in the rows of the table that begins with a line and ends with another: of each row the event that opens a
/// span, those that close it, and the member with its id.
fn table(file: &str, begin: &str, end: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(workspace_dir().join("agui-codegen/src/support").join(file)).unwrap();
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{file} has no `{begin}`"));
    let (rows, _) = rest.split_once(end).unwrap();
    let rows = rows.lines().skip(1).map(|row| row.split('"').skip(1).step_by(2).map(str::to_owned).collect());
    rows.filter(|row: &Vec<String>| !row.is_empty()).collect()
}

/// The member with the id of a span: the only one, besides `type`, that the schema requires of the event that closes it.
fn id_member(closing: EventType, schema: &Value) -> String {
    let events = schema["$defs"].as_object().unwrap().values();
    let mut events = events.filter(|event| event["properties"]["type"]["const"] == closing.as_str());
    let required = events.next().unwrap()["required"].as_array().unwrap();
    let members: Vec<_> = required.iter().filter(|member| *member != "type").collect();
    assert_eq!(members.len(), 1, "{closing}");
    members[0].as_str().unwrap().to_owned()
}

/// The same rows, from the table of the protocol.
fn protocol() -> Vec<Vec<String>> {
    let schema = fs::read_to_string(workspace_dir().join("tests/fixtures/ag-ui-schema-1.0.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut rows = Vec::new();
    for opening in EventType::ALL {
        let EventEffect::Open(scope) = opening.effect() else { continue };
        let closing: Vec<_> =
            EventType::ALL.iter().filter(|event| event.effect() == EventEffect::Close(scope)).collect();
        let mut row = vec![opening.to_string()];
        row.extend(closing.iter().map(ToString::to_string));
        row.push(id_member(*closing[0], &schema));
        rows.push(row);
    }
    rows.sort();
    rows
}

#[test]
fn the_generated_clients_know_the_spans_of_the_protocol() {
    let expected = protocol();
    assert_eq!(expected.len(), 6, "{expected:?}");
    for (file, begin, end) in
        [("typescript/_restate.ts", "const SPANS", "\n];"), ("python/_restate.py", "_SPANS: dict", "\n}")]
    {
        let mut rows = table(file, begin, end);
        rows.sort();
        assert_eq!(rows, expected, "{file}");
    }
}
