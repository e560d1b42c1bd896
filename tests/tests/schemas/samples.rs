//! The output of our types is valid under the official schema, and reads back equal.

use agui_runtime::protocol::{Event, EventType, JsonPointer, Message, RunAgentInput};
use agui_tests::is_exhaustive;
use agui_tests::wire::{generate, sample, schema, typed};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[test]
fn every_sample_is_valid() {
    for sample in sample::all() {
        for text in [&sample.full, &sample.minimal] {
            let document = serde_json::from_str(text).unwrap();
            schema::validate(sample.definition, &document)
                .unwrap_or_else(|error| panic!("{} {text}\n{error}", sample.definition));
        }
    }
}

#[test]
fn every_event_sample_is_valid_as_an_event_and_reads_as_its_type() {
    let mut seen = 0;
    for sample in sample::all() {
        let Some(event_type) =
            EventType::ALL.iter().find(|event_type| is_definition_of(sample.definition, **event_type))
        else {
            continue;
        };
        seen += 1;
        for text in [&sample.full, &sample.minimal] {
            schema::validate("Event", &serde_json::from_str(text).unwrap()).unwrap();
            let event: Event = typed::read(text).unwrap();
            assert_eq!(event.event_type(), *event_type);
            assert_eq!(&serde_json::to_string(&event).unwrap(), text);
        }
    }
    assert_eq!(seen, EventType::ALL.len());
}

/// `TEXT_MESSAGE_START` is defined by `TextMessageStartEvent`.
fn is_definition_of(definition: &str, event_type: EventType) -> bool {
    let camel_case: String = event_type
        .as_str()
        .split('_')
        .flat_map(|word| {
            word.chars().enumerate().map(|(i, c)| if i == 0 { c } else { c.to_ascii_lowercase() })
        })
        .collect();
    definition.strip_suffix("Event") == Some(camel_case.as_str())
}

/// Checks many random values, a quarter of them with `AGUI_EXHAUSTIVE` unset: valid, and equal after reading them from text,
/// from a JSON value and with members in reverse order.
fn check<T>(definition: &str, cases: u32, values: impl Strategy<Value = T>)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let cases = if is_exhaustive() { cases } else { cases / 4 };
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&values, |value| {
            let text = serde_json::to_string(&value).unwrap();
            let document: Value = serde_json::from_str(&text).unwrap();
            schema::validate(definition, &document).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&typed::read::<T>(&text).map_err(TestCaseError::fail)?, &value);
            prop_assert_eq!(&serde_json::from_value::<T>(document.clone()).unwrap(), &value);
            let reversed = serde_json::to_string(&reverse(document)).unwrap();
            prop_assert_eq!(&typed::read::<T>(&reversed).map_err(TestCaseError::fail)?, &value);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{definition}: {error}"));
}

/// The same value with the members of every object in reverse order: the tag of a union comes late.
fn reverse(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().rev().map(|(key, value)| (key, reverse(value))).collect())
        }
        Value::Array(elements) => elements.into_iter().map(reverse).collect(),
        scalar => scalar,
    }
}

#[test]
fn any_event_is_valid_and_reads_back_equal() {
    for event_type in EventType::ALL {
        check::<Event>("Event", 48, generate::event(*event_type));
    }
}

#[test]
fn any_message_is_valid_and_reads_back_equal() {
    check::<Message>("Message", 512, generate::message());
}

#[test]
fn any_input_is_valid_and_reads_back_equal() {
    check::<RunAgentInput>("RunAgentInput", 256, generate::input());
}

#[test]
fn any_declaration_is_valid_and_reads_back_equal() {
    check("AgentCapabilities", 256, generate::capabilities());
}

#[test]
fn pointers_are_those_of_the_schema() {
    let near_misses = proptest::string::string_regex("[/~01a\n]{0,6}").unwrap();
    let config = ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&near_misses, |text| {
            let valid = schema::validate("JsonPointer", &Value::from(text.as_str())).is_ok();
            prop_assert_eq!(text.parse::<JsonPointer>().is_ok(), valid);
            Ok(())
        })
        .unwrap();
    check::<JsonPointer>("JsonPointer", 256, generate::pointer());
}
