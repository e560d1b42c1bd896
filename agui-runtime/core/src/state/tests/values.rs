//! Engine tests on `serde_json::Value`.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::check;
use crate::testing::sampled::cases;

#[test]
fn members_are_added_removed_and_renamed() {
    assert_eq!(
        check(&json!({"title": "Rice", "steps": []}), &json!({"title": "Risotto", "steps": []})),
        r#"[{"op":"add","path":"/title","value":"Risotto"}]"#,
    );
    assert_eq!(
        check(
            &json!({"a": 1, "b": 2, "long": "a text that is not sent again"}),
            &json!({"b": 2, "c/d~": null, "long": "a text that is not sent again"})
        ),
        r#"[{"op":"remove","path":"/a"},{"op":"add","path":"/c~1d~0","value":null}]"#,
    );
    assert_eq!(
        check(&json!({"a": {"text": "the same"}}), &json!({"b": {"text": "the same"}})),
        r#"[{"op":"move","from":"/a","path":"/b"}]"#,
    );
}

#[test]
fn members_with_names_refused_by_clients_are_sent_with_their_owner() {
    assert_eq!(
        check(&json!({"x": {"__proto__": 1, "a": 1}}), &json!({"x": {"__proto__": 2, "a": 1}})),
        r#"[{"op":"add","path":"/x","value":{"__proto__":2,"a":1}}]"#,
    );
    assert_eq!(
        check(
            &json!({"constructor": {"prototype": {"a": 1}}}),
            &json!({"constructor": {"prototype": {"a": 2}}})
        ),
        r#"[{"op":"add","path":"/constructor","value":{"prototype":{"a":2}}}]"#,
    );
    assert_eq!(
        check(
            &json!({"x": {"__proto__": 1, "b": {"constructor": {"prototype": 1}}}, "y": 1}),
            &json!({"x": {"__proto__": 2, "b": {"constructor": {"prototype": 2}}}, "y": 1})
        ),
        r#"[{"op":"add","path":"/x","value":{"__proto__":2,"b":{"constructor":{"prototype":2}}}}]"#,
    );
}

#[test]
fn odd_names_are_escaped_twice() {
    let old = json!({"": 1, "/": 1, "~1": 1, "\"": 1, "\\": 1, "\u{1}": 1, "-": 1, "0": 1, "length": 1, "ü\u{2028}": 1});
    let Value::Object(members) = &old else { unreachable!() };
    for name in members.keys() {
        let mut now = old.clone();
        now[name] = json!(2);
        check(&old, &now);
        now.as_object_mut().unwrap().remove(name);
        check(&old, &now);
    }
}

#[test]
fn values_below_the_maximum_depth_are_sent_whole() {
    let nest = |depth: usize, leaf: Value| (0..depth).fold(leaf, |inner, _| json!({"a": inner}));
    let mut sent = nest(200, json!({"n": 1, "m": 1}));
    let ops = super::synced(&mut sent, &nest(200, json!({"n": 2, "m": 1})));
    let path = format!("\"path\":\"{}\"", "/a".repeat(128));
    assert!(ops.contains(&path), "{ops}");
}

pub(super) fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..4_i64).prop_map(Value::from),
        (0..4_i32).prop_map(|n| Value::from(f64::from(n))),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "[a-c~/]{0,2}".prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec(("[a-c~/]{0,2}|__proto__|constructor|prototype", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_two_documents(old in documents(), now in documents()) {
        check(&old, &now);
    }

    #[test]
    fn a_document_in_a_list_with_others(one in documents(), two in documents(), three in documents()) {
        check(&json!([one, two, three, one]), &json!([two, one, {"x": three, "y": two}]));
    }
}
