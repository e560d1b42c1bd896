//! Values that JSON writes alike, or JavaScript reads alike, or a client no longer has.

use std::collections::BTreeMap;

use agui_runtime::prelude::*;
use agui_runtime::{Change, Shadow};
use agui_tests::zoo::{Numbers, Presence, Untagged};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ops;

#[test]
fn what_is_no_number_is_null() {
    assert_eq!(ops(&vec![f64::NAN, f64::INFINITY], &vec![f64::NEG_INFINITY, f64::NAN]), json!([]));
    assert_eq!(
        ops(&vec![1.0, 2.0], &vec![1.0, f64::NAN]),
        json!([{ "op": "replace", "path": "/1", "value": null }])
    );
    let (none, nan) = (Numbers::default(), Numbers { maybe: Some(f64::NAN), ..Numbers::default() });
    assert_eq!(ops(&none, &nan), json!([]), "`None` and `Some(NaN)` are both null");
}

#[test]
fn an_option_in_an_option_is_null_twice() {
    assert_eq!(ops(&None::<Option<u8>>, &Some(None)), json!([]));
    assert_eq!(ops(&Some(None), &Some(Some(1_u8))), json!([{ "op": "add", "path": "", "value": 1 }]));
    let absent = Presence::default();
    let null = Presence { twice: Some(None), ..Presence::default() };
    assert_eq!(
        ops(&absent, &null),
        json!([{ "op": "add", "path": "/TWICE", "value": null }]),
        "absent and null are not the same"
    );
    assert_eq!(ops(&null, &absent), json!([{ "op": "remove", "path": "/TWICE" }]));
}

#[test]
fn an_f32_has_its_own_digits() {
    assert_eq!(Shadow::start(&vec![0.1_f32, 16_777_216.0]).unwrap().1, "[0.1,16777216.0]");
}

#[test]
fn whole_numbers_of_128_bits_are_written_to_the_last_digit() {
    let (mut shadow, text) = Shadow::start(&(u128::MAX, i128::MIN)).unwrap();
    assert_eq!(text, "[340282366920938463463374607431768211455,-170141183460469231731687303715884105728]");
    let change = shadow.flush(&(u128::MAX - 1, i128::MIN)).unwrap();
    let expected = r#"[{"op":"replace","path":"/0","value":340282366920938463463374607431768211454}]"#;
    assert_eq!(change, Change::Delta(expected));
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
struct Order {
    #[serde(with = "agui_runtime::as_string")]
    #[schemars(with = "String")]
    #[state(as_string)]
    id: u64,
    #[serde(with = "agui_runtime::as_string", skip_serializing_if = "is_free")]
    #[schemars(with = "String")]
    #[state(as_string)]
    price: i128,
}

fn is_free(price: &i128) -> bool {
    *price == 0
}

#[test]
fn numbers_that_javascript_cannot_tell_apart_go_as_strings() {
    let old = Order { id: 9_007_199_254_740_992, price: 0 };
    let now = Order { id: 9_007_199_254_740_993, price: i128::MAX };
    let patch = json!([
        { "op": "add", "path": "/id", "value": "9007199254740993" },
        { "op": "add", "path": "/price", "value": i128::MAX.to_string() },
    ]);
    let whole = json!([{ "op": "add", "path": "", "value": { "id": "9007199254740993", "price": i128::MAX.to_string() } }]);
    let sent = ops(&old, &now);
    assert!(sent == patch || sent == whole, "{sent}");
    let read: Order = serde_json::from_str(&serde_json::to_string(&now).unwrap()).unwrap();
    assert_eq!(read, now);
    assert!(
        serde_json::from_str::<Order>(r#"{"id":"x","price":"1"}"#).unwrap_err().to_string().contains("`x`")
    );
}

#[test]
fn nought_has_no_sign() {
    assert_eq!(ops(&vec![0.0_f64], &vec![-0.0]), json!([]));
    assert_eq!(ops(&json!([0.0, 1]), &json!([-0.0, 1.0])), json!([]));
}

#[test]
fn one_is_one_with_a_point_or_without() {
    assert_eq!(ops(&Untagged::Whole(1), &Untagged::Real(1.0)), json!([]));
    assert_eq!(ops(&vec![Untagged::Real(1.0)], &vec![Untagged::Whole(1)]), json!([]));
    assert_eq!(ops(&Untagged::Null, &Untagged::Real(f64::NAN)), json!([]));
}

#[test]
fn null_and_absent_are_told_apart() {
    let old = Presence { maybe_note: Some("x".to_owned()), always: Some(1), ..Presence::default() };
    assert_eq!(
        ops(&old, &Presence { maybe_note: None, ..old.clone() }),
        json!([{ "op": "remove", "path": "/MAYBE-NOTE" }])
    );
    assert_eq!(
        ops(&old, &Presence { always: None, ..old.clone() }),
        json!([{ "op": "add", "path": "/ALWAYS", "value": null }])
    );
}

#[test]
fn members_have_no_order() {
    let old: IndexMap<String, u8> =
        [("a", 1), ("b", 2), ("c", 3)].map(|(name, n)| (name.to_owned(), n)).into();
    let mut now = old.clone();
    now.reverse();
    assert_eq!(ops(&old, &now), json!([]));
}

#[test]
fn what_is_sent_of_a_sorted_map_is_always_the_same() {
    let map = |names: &[&str]| -> BTreeMap<String, u8> {
        names.iter().map(|name| ((*name).to_owned(), 1)).collect()
    };
    let (old, now) = (map(&["a", "b", "c", "d"]), map(&["b", "d", "x", "y"]));
    let first = ops(&old, &now);
    for _ in 0..20 {
        assert_eq!(ops(&old, &now), first);
    }
}

#[test]
fn names_are_escaped_for_the_pointer_and_for_json() {
    let old: BTreeMap<String, u8> = BTreeMap::new();
    for (name, token) in
        [("a/b", "/a~1b"), ("~", "/~0"), ("~1", "/~01"), ("\"\\\n", "/\"\\\n"), ("", "/"), ("é𝄞", "/é𝄞")]
    {
        let now = BTreeMap::from([(name.to_owned(), 1)]);
        let sent = ops(&old, &now);
        let whole = json!([{ "op": "add", "path": "", "value": { name: 1 } }]);
        let member = json!([{ "op": "add", "path": token, "value": 1 }]);
        assert!(sent == member || sent == whole, "{sent}");
    }
}

#[test]
fn a_client_that_lost_its_copy_gets_the_whole_again() {
    let mut list = vec!["rice".to_owned(); 40];
    let (mut shadow, first) = Shadow::start(&list).unwrap();
    list.push("saffron".to_owned());
    assert!(matches!(shadow.flush(&list).unwrap(), Change::Delta(_)));
    let again = shadow.resend().unwrap();
    assert_eq!(again, serde_json::to_string(&list).unwrap());
    assert_ne!(again, first);
    list.push("salt".to_owned());
    assert_eq!(
        shadow.flush(&list).unwrap(),
        Change::Delta(r#"[{"op":"add","path":"/-","value":"salt"}]"#),
        "and deltas go on from there"
    );
}

#[test]
fn a_member_that_may_exist_is_added_or_by_request_replaced() {
    #[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
    #[state(exact)]
    struct Exact {
        title: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
    let old = Exact { title: "a title that is long enough".to_owned(), note: None };
    let now = Exact { title: "another title".to_owned(), ..old.clone() };
    assert_eq!(ops(&old, &now), json!([{ "op": "replace", "path": "/title", "value": "another title" }]));
    let now = Exact { note: Some("new".to_owned()), ..old.clone() };
    assert_eq!(ops(&old, &now), json!([{ "op": "add", "path": "/note", "value": "new" }]));
}
