//! Nothing of the official schema is missing from our types, and nothing is added.

use std::collections::BTreeSet;
use std::str::FromStr;

use agui_runtime::protocol::{
    Event, EventEffect, EventType, ReasoningEncryptedValueSubtype, Role, SpanKind, TextMessageRole,
};
use agui_tests::outside::workspace_dir;
use agui_tests::wire::{sample, schema, typed};
use serde_json::Value;

fn set<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_event_types_are_those_of_the_schema() {
    let ours = set(EventType::ALL.iter().map(|event_type| event_type.as_str()));
    assert_eq!(ours, schema::names("EventType", "").into_iter().collect());
    assert_eq!(ours, schema::names("Event", "type").into_iter().collect());
    assert_eq!(EventType::ALL.len(), 31);
}

#[test]
fn the_closed_sets_are_those_of_the_schema() {
    let roles = set(Role::ALL.iter().map(|role| role.as_str()));
    assert_eq!(roles, schema::names("Role", "").into_iter().collect());
    assert_eq!(roles, schema::names("Message", "role").into_iter().collect());
    let roles = set(TextMessageRole::ALL.iter().map(|role| role.as_str()));
    assert_eq!(roles, schema::names("TextMessageRole", "").into_iter().collect());
    let subtypes = set(ReasoningEncryptedValueSubtype::ALL.iter().map(|subtype| subtype.as_str()));
    assert_eq!(subtypes, schema::names("ReasoningEncryptedValueSubtype", "").into_iter().collect());
}

/// An unknown member of a union is refused with the list of the known ones.
#[test]
fn the_unions_are_those_of_the_schema() {
    for (definition, key) in [
        ("Message", "role"),
        ("ContentPart", "type"),
        ("PartSource", "type"),
        ("RunFinishedOutcome", "type"),
        ("SubagentFinishedOutcome", "type"),
        ("JsonPatchOperation", "op"),
    ] {
        let error = typed::typed(definition)(&format!(r#"{{"{key}":"?"}}"#)).unwrap_err();
        let (_, known) = error.split_once("expected ").expect("a list of the known ones");
        let known = known.split(" at line").next().unwrap();
        let ours = known.split('`').skip(1).step_by(2).collect::<Vec<_>>();
        assert_eq!(ours, schema::names(definition, key), "{definition}");
    }
}

#[test]
fn every_definition_has_a_type() {
    let ours =
        set(typed::TYPED.iter().map(|(definition, _)| *definition).chain(typed::FRAGMENTS.iter().copied()));
    assert_eq!(ours, set(schema::definitions().keys().map(String::as_str)));
}

#[test]
fn every_definition_of_an_object_has_a_sample() {
    let sampled = set(sample::all().iter().map(|sample| sample.definition));
    for definition in schema::definitions().keys() {
        let is_object = schema::member_order(definition).is_some();
        if is_object && !typed::FRAGMENTS.contains(&definition.as_str()) {
            assert!(sampled.contains(definition), "{definition} has no sample");
        }
    }
}

fn members(text: &str) -> Vec<String> {
    match serde_json::from_str(text).unwrap() {
        Value::Object(members) => members.into_iter().map(|(key, _)| key).collect(),
        other => panic!("{other} is no object"),
    }
}

/// A forgotten member, a member too many and a member in the wrong place all fail here.
#[test]
fn full_samples_have_every_member_in_the_order_of_the_schema() {
    let mut compared = 0;
    for sample in sample::all() {
        if let Some(expected) = schema::member_order(sample.definition) {
            assert_eq!(members(&sample.full), expected, "{}", sample.definition);
            compared += 1;
        }
    }
    assert_eq!(compared, 79);
}

#[test]
fn minimal_samples_have_the_required_members_only() {
    for sample in sample::all() {
        let required = &schema::definitions()[sample.definition]["required"];
        let required = set(required.as_array().into_iter().flatten().map(|key| key.as_str().unwrap()));
        assert_eq!(
            set(members_or_none(&sample.minimal).iter().map(String::as_str)),
            required,
            "{}",
            sample.definition
        );
    }
}

fn members_or_none(text: &str) -> Vec<String> {
    if text == "null" { Vec::new() } else { members(text) }
}

/// Which events may be tagged: in the schema by inheriting `Attributable`, here by having a place for the tag.
#[test]
fn attributable_events_are_those_of_the_schema() {
    for sample in sample::all() {
        let Ok(mut event) = serde_json::from_str::<Event>(&sample.full) else { continue };
        let inherited = schema::definitions()[sample.definition]["allOf"].to_string();
        let attributable = inherited.contains("Attributable");
        assert_eq!(event.subagent_run_id_mut().is_some(), attributable, "{}", sample.definition);
        let tagged = members(&sample.full).contains(&"subagentRunId".to_owned());
        assert_eq!(event.subagent_run_id().is_some(), tagged, "{}", sample.definition);
    }
}

#[test]
fn everything_opened_can_be_closed() {
    for event_type in EventType::ALL {
        let needed: &[fn(SpanKind) -> EventEffect] = match event_type.effect() {
            EventEffect::Open(_) => &[EventEffect::Close],
            EventEffect::Within(_) => &[EventEffect::Open, EventEffect::Close],
            EventEffect::Close(_) | EventEffect::Chunk(_) => &[EventEffect::Open],
            _ => continue,
        };
        let (EventEffect::Open(scope)
        | EventEffect::Within(scope)
        | EventEffect::Close(scope)
        | EventEffect::Chunk(scope)) = event_type.effect()
        else {
            continue;
        };
        for effect in needed {
            assert!(EventType::ALL.iter().any(|other| other.effect() == effect(scope)), "{event_type}");
        }
    }
}

#[test]
fn an_effect_about_something_names_it() {
    for sample in sample::all() {
        let Ok(event) = serde_json::from_str::<Event>(&sample.full) else { continue };
        let about_nothing = matches!(
            event.event_type().effect(),
            EventEffect::StartRun
                | EventEffect::FinishRun
                | EventEffect::FailRun
                | EventEffect::Restate
                | EventEffect::Free
        );
        assert_eq!(event.scope_id().is_none(), about_nothing, "{}", sample.definition);
    }
}

#[test]
fn names_read_back() {
    for event_type in EventType::ALL {
        assert_eq!(EventType::from_str(event_type.as_str()), Ok(*event_type));
    }
    assert_eq!(
        EventType::from_str("run_started").unwrap_err().to_string(),
        "unknown event type `run_started`"
    );
}

#[test]
fn the_inspector_knows_the_family_of_every_event() {
    let page = std::fs::read_to_string(workspace_dir().join("examples/inspector/web/event.js")).unwrap();
    let (_, rest) = page.split_once("const PREFIXES = [\n").unwrap();
    let (rows, _) = rest.split_once("];").unwrap();
    let prefixes: Vec<_> = rows.lines().filter_map(|row| row.split('"').nth(1)).collect();
    for event_type in EventType::ALL {
        assert!(prefixes.iter().any(|prefix| event_type.as_str().starts_with(prefix)), "{event_type}");
    }
}
