//! Tests that operations change typed values in the same way as their JSON.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::StateNode;
use super::super::apply::apply;
use super::super::engine::{JsonOut, ValueToken};
use super::{applied, json, synced, values};
use crate::protocol::PatchOperation;
use crate::testing::sampled::cases;

fn ops(text: &str) -> Vec<PatchOperation> {
    serde_json::from_str(text).unwrap()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct RecipeCard {
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    tags: Vec<String>,
    scores: BTreeMap<u32, f32>,
    pair: (u8, String),
}

impl StateNode for RecipeCard {
    fn write(&self, out: &mut JsonOut) {
        out.serde(self);
    }

    fn token(&self, token: &mut ValueToken) {
        self.title.token(token);
    }
}

fn card() -> RecipeCard {
    RecipeCard {
        title: "Risotto".into(),
        note: None,
        tags: vec!["rice".into(), "wine".into()],
        scores: BTreeMap::from([(1, 0.1)]),
        pair: (1, "one".into()),
    }
}

#[test]
fn operations_reach_their_place() {
    let mut state = card();
    apply(
        &mut state,
        &ops(r#"[
            {"op":"add","path":"/note","value":"stir"},
            {"op":"add","path":"/title","value":"Rice"},
            {"op":"add","path":"/tags/-","value":"saffron"},
            {"op":"move","from":"/tags/2","path":"/tags/0"},
            {"op":"remove","path":"/tags/1"},
            {"op":"add","path":"/scores/7","value":2.5},
            {"op":"replace","path":"/pair/1","value":"two"},
            {"op":"test","path":"/scores/1","value":0.1},
            {"op":"copy","from":"/title","path":"/tags/-"}
        ]"#),
    )
    .unwrap();
    assert_eq!(
        json(&state),
        json!({
            "title": "Rice", "note": "stir", "tags": ["saffron", "wine", "Rice"], "scores": {"1": 0.1, "7": 2.5},
            "pair": [1, "two"],
        })
    );
    apply(&mut state, &ops(r#"[{"op":"remove","path":"/note"}]"#)).unwrap();
    assert_eq!(state.note, None);
}

#[test]
fn all_or_nothing_with_the_operation_and_its_path() {
    for (patch, said) in [
        (
            r#"[{"op":"add","path":"/title","value":"x"},{"op":"remove","path":"/tags/9"}]"#,
            "operation 1 does not apply at `/tags/9`: the path does not exist",
        ),
        (
            r#"[{"op":"remove","path":"/note"}]"#,
            "operation 0 does not apply at `/note`: the path does not exist",
        ),
        (
            r#"[{"op":"replace","path":"/note","value":"x"}]"#,
            "operation 0 does not apply at `/note`: the path does not exist",
        ),
        (
            r#"[{"op":"add","path":"/title","value":7}]"#,
            "operation 0 does not apply at `/title`: invalid type: integer `7`, expected a string",
        ),
        (
            r#"[{"op":"remove","path":"/title"}]"#,
            "operation 0 does not apply at `/title`: missing field `title`",
        ),
        (
            r#"[{"op":"add","path":"/tags/01","value":"x"}]"#,
            "operation 0 does not apply at `/tags/01`: `01` is not an index of the list",
        ),
        (
            r#"[{"op":"test","path":"/title","value":"x"}]"#,
            "operation 0 does not apply at `/title`: the value at the path differs",
        ),
        (
            r#"[{"op":"move","from":"/tags","path":"/tags/0"}]"#,
            "operation 0 does not apply at `/tags/0`: a value cannot be moved into itself",
        ),
        (
            r#"[{"op":"move","from":"/tags/7","path":"/tags/0"}]"#,
            "operation 0 does not apply at `/tags/7`: the path does not exist",
        ),
        (
            r#"[{"op":"move","from":"/tags/0","path":"/tags/7"}]"#,
            "operation 0 does not apply at `/tags/7`: `7` is not an index of the list",
        ),
        (
            r#"[{"op":"copy","from":"/absent","path":"/title"}]"#,
            "operation 0 does not apply at `/absent`: the path does not exist",
        ),
        (
            r#"[{"op":"move","from":"/absent","path":"/title"}]"#,
            "operation 0 does not apply at `/absent`: the path does not exist",
        ),
        (
            r#"[{"op":"add","path":"/pair/0","value":3}]"#,
            "operation 0 does not apply at `/pair/0`: invalid type: integer `1`, expected a string",
        ),
        (
            r#"[{"op":"move","from":"/tags/0","path":"/scores/2"}]"#,
            "operation 0 does not apply at `/scores/2`: invalid type: string \"rice\", expected f32",
        ),
        (
            r#"[{"op":"replace","path":"/tags/0","value":7},{"op":"add","path":"/note","value":"x"},{"op":"test","path":"/tags/0","value":7}]"#,
            "operation 0 does not apply at `/tags/0`: invalid type: integer `7`, expected a string",
        ),
        (
            r#"[{"op":"replace","path":"/title","value":"x"},{"op":"move","from":"/tags/0","path":"/pair/0"}]"#,
            "operation 1 does not apply at `/pair/0`: invalid type: string \"rice\", expected u8",
        ),
        (r#"[{"op":"remove","path":""}]"#, "operation 0 does not apply at ``: the path does not exist"),
    ] {
        let mut state = card();
        let error = apply(&mut state, &ops(patch)).unwrap_err();
        assert_eq!(error.to_string(), said);
        assert_eq!(state, card());
    }
}

/// A value with a field that is not in the JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct ViewedText {
    text: String,
    #[serde(skip)]
    times: u32,
}

impl StateNode for ViewedText {}

#[test]
fn a_skipped_field_stays_when_a_patch_fails_and_is_the_default_when_it_applies() {
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Wall {
        lists: (Vec<ViewedText>, VecDeque<ViewedText>),
        map: BTreeMap<String, ViewedText>,
        one: ViewedText,
        story: crate::state::ChunkedText,
        live: crate::state::Tracked<Vec<ViewedText>>,
    }
    impl StateNode for Wall {}
    let seen = |text: &str| ViewedText { text: text.into(), times: 7 };
    let wall = Wall {
        lists: (vec![seen("a"), seen("b")], VecDeque::from([seen("c"), seen("d")])),
        map: BTreeMap::from([("e".into(), seen("e")), ("f".into(), seen("f"))]),
        one: seen("g"),
        story: "once".into(),
        live: vec![seen("h")].into(),
    };
    let changes = [
        r#"{"op":"remove","path":"/lists/0/0"}"#,
        r#"{"op":"add","path":"/lists/0/1","value":{"text":"x"}}"#,
        r#"{"op":"move","from":"/lists/0/1","path":"/lists/0/0"}"#,
        r#"{"op":"replace","path":"/lists/0/1","value":{"text":"x"}}"#,
        r#"{"op":"remove","path":"/lists/1/1"}"#,
        r#"{"op":"add","path":"/lists/1/0","value":{"text":"x"}}"#,
        r#"{"op":"move","from":"/lists/1/0","path":"/lists/1/1"}"#,
        r#"{"op":"move","from":"/lists/1/0","path":"/lists/0/-"}"#,
        r#"{"op":"remove","path":"/map/e"}"#,
        r#"{"op":"add","path":"/map/f","value":{"text":"x"}}"#,
        r#"{"op":"add","path":"/map/g","value":{"text":"x"}}"#,
        r#"{"op":"replace","path":"/one/text","value":"x"}"#,
        r#"{"op":"add","path":"/story/-","value":" upon"}"#,
        r#"{"op":"replace","path":"/story","value":["no"]}"#,
        r#"{"op":"remove","path":"/live/0"}"#,
        r#"{"op":"add","path":"","value":{"lists":[[],[]],"map":{},"one":{"text":""},"story":[],"live":[]}}"#,
    ];
    for first in changes {
        for second in changes {
            let mut state = wall.clone();
            let patch = ops(&format!(r#"[{first},{second},{{"op":"test","path":"/one","value":0}}]"#));
            apply(&mut state, &patch).unwrap_err();
            assert_eq!(state, wall, "{first} {second}");
        }
    }
    let mut state = wall;
    apply(&mut state, &ops(r#"[{"op":"replace","path":"/one/text","value":"x"}]"#)).unwrap();
    assert_eq!(state.one, ViewedText { text: "x".into(), times: 0 });
    assert_eq!(state.lists.0[1], ViewedText { text: "b".into(), times: 0 });
}

#[test]
fn floats_beside_the_change_keep_their_last_digit() {
    let mut state = (vec![0.1 + 0.2, 1e23, -5.4e-324, 123_456_789.012_345_67], 0.1_f32, String::new());
    let expected = (state.0.clone(), state.1, "x".to_owned());
    apply(
        &mut state,
        &ops(r#"[{"op":"test","path":"/1","value":0.1},{"op":"replace","path":"/2","value":"x"}]"#),
    )
    .unwrap();
    assert_eq!(state, expected);
}

#[test]
fn the_documents_between_two_operations_may_be_invalid() {
    let mut state = card();
    let patch = ops(r#"[
            {"op":"move","from":"/title","path":"/other"},
            {"op":"add","path":"/title","value":7},
            {"op":"move","from":"/other","path":"/title"}
        ]"#);
    apply(&mut state, &patch).unwrap();
    assert_eq!(state, card());
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn applying_our_own_patches(old in values::documents(), now in values::documents()) {
        let patch = synced(&mut old.clone(), &now);
        let mut document = old.clone();
        apply(&mut document, &ops(&patch)).unwrap();
        // As its text is read: serde_json does not read every float to its last digit.
        prop_assert!(crate::json::same(&document, &json(&now)));
    }

    #[test]
    fn nothing_is_left_of_what_fails_at_the_end(old in values::documents(), now in values::documents()) {
        let patch = synced(&mut old.clone(), &now);
        let mut patch = ops(&patch);
        patch.push(PatchOperation::remove(crate::protocol::JsonPointer::root()));
        let mut document = old.clone();
        let error = apply(&mut document, &patch).unwrap_err();
        prop_assert_eq!(error.op, patch.len() - 1);
        prop_assert_eq!(document, old);
    }

    #[test]
    fn like_the_other_applier(
        document in values::documents(),
        patch in proptest::collection::vec((0..6_u8, "(/[a-c0-3~-]?){0,3}", "(/[a-c0-3-]?){0,3}", 0..4_u8), 1..4),
    ) {
        let patch: Vec<Value> = patch
            .into_iter()
            // Moving the root to itself is nothing here and an error there.
            .filter(|(op, _, from, _)| *op != 3 || !from.is_empty())
            .map(|(op, path, from, value)| {
                let op = ["add", "remove", "replace", "move", "copy", "test"][usize::from(op)];
                // No numbers: the other applier tells 0 and 0.0 apart (RFC 6902, 4.6, does not).
                let value = [json!(null), json!(true), json!(""), json!(["a"])][usize::from(value)].clone();
                json!({"op": op, "path": path.replace('~', "~0"), "from": from, "value": value})
            })
            .collect();
        let text = serde_json::to_string(&patch).unwrap();
        let mut ours = document.clone();
        let result = apply(&mut ours, &ops(&text));
        if result.is_err() {
            prop_assert_eq!(&ours, &document);
            let theirs = serde_json::from_str::<json_patch::Patch>(&text).unwrap();
            // `patch` undoes what was done, and panics where that is a move into itself.
            prop_assert!(json_patch::patch_unsafe(&mut document.clone(), &theirs).is_err(), "{text}");
        } else {
            prop_assert!(crate::json::same(&ours, &applied(&document, &text)), "{text}");
        }
    }
}
