//! Documents of others: valid ones are read and written back equal, malformed ones are refused.
//!
//! A typed reader is not a receiver: it drops members it does not know and refuses union members it does not know,
//! where a receiver strips both and warns. Every difference from the schema's verdict has to fall under one of the
//! rules below.

use std::collections::BTreeMap;

use agui_tests::wire::fixture::{self, Vector};
use agui_tests::wire::{equal, schema, typed};
use serde_json::Value;

/// A typed reader's treatment of a document that the schema rejects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    /// Refused: a known member with a value it cannot have, or a missing one.
    Malformed,
    /// Refused: an event type or another union member of a later version, or no tag at all. Left to the receiver.
    UnknownUnionMember,
    /// Read without the members that the schema does not know.
    UnknownMembers,
    /// Read: the `null` state of an input means absent.
    NullState,
}

/// Reads and writes a document that the schema rejects, and returns the rule for the result.
fn rule(definition: &str, document: &Value) -> Rule {
    let written = match typed::typed(definition)(&document.to_string()) {
        Ok(written) => serde_json::from_str::<Value>(&written).unwrap(),
        Err(error) if is_unknown_union_member(&error) => return Rule::UnknownUnionMember,
        Err(_) => return Rule::Malformed,
    };
    schema::validate(definition, &written).expect("what is left is valid");
    let removed = removed(document, &written);
    assert!(!removed.is_empty(), "the document was invalid and nothing was removed: {document}");
    if removed.iter().all(|path| path.ends_with("/state") && document.pointer(path) == Some(&Value::Null)) {
        Rule::NullState
    } else {
        Rule::UnknownMembers
    }
}

/// Returns true if reading failed at the string that tells union members apart, and not at a closed set of strings.
fn is_unknown_union_member(error: &str) -> bool {
    let (_, message) = error.split_once(": ").expect("path and message");
    message.starts_with("unknown variant")
        || message.starts_with("unknown event type")
        || message.contains("a string that identifies ")
}

/// The members that are missing from `written`, by JSON Pointer; everything else must be equal.
fn removed(document: &Value, written: &Value) -> Vec<String> {
    match (document, written) {
        (Value::Object(document), Value::Object(written)) => {
            assert!(written.keys().all(|key| document.contains_key(key)), "a member was added");
            let removed = document.iter().flat_map(|(key, value)| match written.get(key) {
                None => vec![format!("/{key}")],
                Some(left) => removed(value, left).into_iter().map(|path| format!("/{key}{path}")).collect(),
            });
            removed.collect()
        }
        (Value::Array(document), Value::Array(written)) => {
            assert_eq!(document.len(), written.len(), "an element was added or removed");
            let pairs = document.iter().zip(written).enumerate();
            pairs
                .flat_map(|(i, (value, left))| {
                    removed(value, left).into_iter().map(move |path| format!("/{i}{path}"))
                })
                .collect()
        }
        _ => {
            assert!(equal(document, written), "{document} became {written}");
            Vec::new()
        }
    }
}

fn writes_back_equal(name: &str, definition: &str, document: &Value) {
    let written = typed::typed(definition)(&document.to_string())
        .unwrap_or_else(|error| panic!("{name} ({definition}) is valid, but: {error}\n{document}"));
    let written: Value = serde_json::from_str(&written).unwrap();
    assert!(equal(document, &written), "{name} ({definition}): {document} became {written}");
}

/// Counts by rule, and names the documents that were read although the schema rejects them.
#[derive(Default)]
struct Report {
    valid: usize,
    /// By rule, with the names of the cases.
    invalid: BTreeMap<Rule, Vec<String>>,
}

impl Report {
    fn print(&self, file: &str) {
        println!("{file}: {} valid, all written back equal", self.valid);
        for (rule, names) in &self.invalid {
            println!("  {rule:?}: {}", names.len());
            if matches!(rule, Rule::UnknownMembers | Rule::NullState | Rule::UnknownUnionMember) {
                names.iter().for_each(|name| println!("    {name}"));
            }
        }
    }

    /// Valid, malformed, unknown union member, unknown members, null state.
    fn counts(&self) -> [usize; 5] {
        let count = |rule| self.invalid.get(&rule).map_or(0, Vec::len);
        [
            self.valid,
            count(Rule::Malformed),
            count(Rule::UnknownUnionMember),
            count(Rule::UnknownMembers),
            count(Rule::NullState),
        ]
    }
}

#[test]
fn the_cases_of_the_schema() {
    let mut report = Report::default();
    for case in fixture::schema_cases() {
        assert_eq!(schema::validate(&case.definition, &case.document).is_ok(), case.valid, "{}", case.name);
        let definitions = [case.definition.as_str(), more_general(&case.definition)];
        if case.valid {
            report.valid += 1;
            definitions
                .iter()
                .for_each(|definition| writes_back_equal(&case.name, definition, &case.document));
        } else {
            let [special, general] = definitions.map(|definition| rule(definition, &case.document));
            assert_eq!(special, general, "{}", case.name);
            report.invalid.entry(special).or_default().push(format!("{}: {}", case.definition, case.name));
        }
    }
    report.print("schema-cases.json");
    assert_eq!(report.counts(), [115, 53, 8, 3, 0]);
}

/// The union a definition belongs to, or itself.
fn more_general(definition: &str) -> &str {
    match definition {
        event if event.ends_with("Event") => "Event",
        message if message.ends_with("Message") => "Message",
        other => other,
    }
}

#[test]
fn the_vectors_agree_with_the_official_client() {
    let mut report = Report::default();
    for vector in fixture::schema_vectors() {
        let (name, definition) = (&vector.name, vector.definition());
        if name == fixture::VECTOR_OF_1_1 {
            assert_eq!(vector.client.stripped, ["/encryptedValueType"]);
            writes_back_equal(name, definition, &vector.input);
            continue;
        }
        assert_eq!(schema::validate(definition, &vector.input).is_ok(), vector.schema.valid, "{name}");
        if vector.schema.valid {
            report.valid += 1;
            assert!(vector.client.accept, "{name}: valid, but refused by the client");
            writes_back_equal(name, definition, &vector.input);
            continue;
        }
        let rule = rule(definition, &vector.input);
        agrees(&vector, rule);
        report.invalid.entry(rule).or_default().push(format!("{}: {name}", vector.target));
    }
    report.print("vectors/schema.json");
    assert_eq!(report.counts(), [53, 116, 25, 17, 2]);
}

/// Errors that are fatal to the client are malformed here, and the reverse; members that it strips are unknown here.
fn agrees(vector: &Vector, rule: Rule) {
    let Vector { name, client, .. } = vector;
    match rule {
        Rule::Malformed => assert!(!client.accept, "{name}: refused here, accepted by the client"),
        Rule::UnknownUnionMember => {
            assert!(client.accept && !client.stripped.is_empty(), "{name}: the client strips nothing");
        }
        Rule::UnknownMembers | Rule::NullState => {
            assert!(client.accept, "{name}: read here, refused by the client");
            let written = typed::typed(vector.definition())(&vector.input.to_string()).unwrap();
            let mut removed = removed(&vector.input, &serde_json::from_str(&written).unwrap());
            let mut stripped = client.stripped.clone();
            removed.sort();
            stripped.sort();
            // Its validator drops a null state and keeps unknown members of a declaration, both without a warning.
            if rule == Rule::UnknownMembers && vector.target != "capabilities" {
                assert_eq!(removed, stripped, "{name}");
            }
        }
    }
}

#[test]
fn nothing_null_is_written_for_something_absent() {
    let cases = fixture::json("null-omission.json");
    let cases = cases["stream"].as_array().unwrap();
    for case in cases {
        let written = typed::typed("Event")(&case["input"].to_string())
            .unwrap_or_else(|error| panic!("{}: {error}", case["name"]));
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), case["expected"], "{}", case["name"]);
    }
    assert_eq!(cases.len(), 28);
}
