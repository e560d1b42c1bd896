//! Members of a flattened part with a name that the owner, or another part, has too.

use std::collections::BTreeMap;
use std::fmt::Debug;

use agui_proofs::patching::Session;
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ops;

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
struct Flat {
    own: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// Names of every kind in an enum's object.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
enum Outside {
    Named { x: u8 },
    Plain(u8),
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[serde(tag = "kind")]
enum Inside {
    Named { x: u8 },
    Around(Flat),
    Nothing,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct WithEnums {
    x: u8,
    #[serde(flatten)]
    inside: Inside,
    #[serde(flatten)]
    outside: Outside,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
struct Parts {
    #[serde(flatten)]
    one: BTreeMap<String, u8>,
    #[serde(flatten)]
    two: Flat,
}

fn map(names: &[(&str, u8)]) -> BTreeMap<String, u8> {
    names.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

/// Checks that the receiver has the document afterwards. Something may be sent even if only an unreadable part changed.
#[track_caller]
fn leads<T: State + Debug>(old: &T, now: &T) {
    Session::new(old).clashes(true).flush(now);
}

#[test]
fn a_name_that_a_flattened_enum_has_too_sends_the_owner_whole() {
    let rests = [map(&[]), map(&[("kind", 1)]), map(&[("Named", 2)]), map(&[("Plain", 2), ("own", 4)])];
    let insides = [Inside::Named { x: 1 }, Inside::Around(Flat::default()), Inside::Nothing];
    let outsides = [Outside::Named { x: 1 }, Outside::Plain(2)];
    let mut states = Vec::new();
    for (i, rest) in (0..).zip(&rests) {
        for inside in &insides {
            for outside in &outsides {
                let (inside, outside, rest) = (inside.clone(), outside.clone(), rest.clone());
                states.push(WithEnums { x: i % 2, inside, outside, rest });
            }
        }
    }
    for old in &states {
        for now in &states {
            leads(old, now);
        }
    }
}

#[test]
fn a_name_that_the_owner_has_too_sends_the_owner_whole() {
    let with = |own, rest: &[(&str, u8)]| Flat { own, rest: map(rest) };
    let states = [
        with(1, &[]),
        with(1, &[("own", 5)]),
        with(2, &[("own", 5)]),
        with(2, &[("own", 6), ("other", 1)]),
        with(3, &[("other", 1)]),
    ];
    for old in &states {
        for now in &states {
            leads(old, now);
        }
    }
    assert_eq!(
        ops(&vec![with(1, &[("own", 5)])], &vec![with(1, &[])]),
        json!([{ "op": "replace", "path": "/0", "value": { "own": 1 } }]),
        "removing the member would take the one that is left"
    );
    assert_eq!(ops(&states[1], &states[1]), json!([]));
}

#[test]
fn a_name_that_another_part_has_too_sends_the_owner_whole() {
    let with = |one: &[(&str, u8)], own, rest: &[(&str, u8)]| Parts {
        one: map(one),
        two: Flat { own, rest: map(rest) },
    };
    let states = [
        with(&[], 1, &[]),
        with(&[("a", 1)], 1, &[]),
        with(&[("a", 1)], 1, &[("a", 2)]),
        with(&[("a", 3), ("own", 9)], 1, &[("a", 2)]),
        with(&[("own", 9)], 2, &[("b", 2)]),
        with(&[("own", 9)], 2, &[("own", 2)]),
    ];
    for old in &states {
        for now in &states {
            leads(old, now);
        }
    }
}
