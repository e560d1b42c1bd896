//! Values that JSON writes alike, or JavaScript reads alike, or a client no longer has.
//!
//! | hazard | test |
//! |---|---|
//! | NaN, infinities: written as `null` | `a_float_that_is_not_a_number_is_null` |
//! | `Option<Option<T>>`: `None` and `Some(None)` are both `null` | `an_option_in_an_option_is_null_twice` |
//! | opaque values that are written as `null` | `opaque_values_may_be_null_as_well` |
//! | `f32`: 0.1 is not 0.10000000149011612 | `an_f32_has_its_own_digits` |
//! | `u128`, `i128`: no `Value` holds them | `whole_numbers_of_128_bits_are_written_to_the_last_digit` |
//! | beyond 2^53 | `numbers_that_javascript_cannot_tell_apart_go_as_strings`, `neighbours_beyond_2_to_the_53_are_two_numbers` |
//! | -0.0 | `nought_has_no_sign` |
//! | `1` and `1.0` | `one_is_one_with_a_point_or_without` |
//! | null against absent | `null_and_absent_differ`, `base::nothing_is_stripped_on_its_way_out` |
//! | order of a `HashMap` | `a_sorted_map_is_always_sent_in_the_same_form`, `a_hash_map_in_another_order_is_the_same` |
//! | order of members | `members_have_no_order` |
//! | escapes in names | `names_are_escaped_for_the_pointer_and_for_json`; `adversarial::names_that_mean_something_elsewhere` |
//! | a name that JavaScript's objects have | `adversarial::the_same_names_in_a_document_without_types` |
//! | text that grows is sent again | `tracking::only_what_was_touched_is_compared` (`ChunkedText`) |
//! | lists too long to compare | `tracking::marks_miss_nothing` (`Tracked`) |
//! | lost base: a new run | `base::every_run_has_a_base_of_its_own`; `runs` |
//! | lost base: a client that forgot, or changed its copy | `base::a_client_that_lost_its_copy_gets_the_whole_again`, `base::a_client_that_changed_its_copy_gets_the_whole` |
//! | lost base: an event that was never sent | `failed`, `recovery` |

use std::collections::{BTreeMap, HashMap};

use agui_proofs::zoo::{Numbers, Presence, Untagged};
use agui_runtime::prelude::*;
use agui_runtime::state::{Shadow, StateChange};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ops;

#[test]
fn a_float_that_is_not_a_number_is_null() {
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
fn opaque_values_may_be_null_as_well() {
    #[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
    struct Around(#[state(opaque)] Option<u8>);
    #[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
    #[serde(untagged)]
    enum Any {
        Number(#[state(opaque)] Option<u8>),
        Text(String),
    }
    #[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
    #[serde(into = "Option<u8>", from = "Option<u8>")]
    #[schemars(with = "Option<u8>")]
    struct By(Option<u8>);
    impl From<By> for Option<u8> {
        fn from(by: By) -> Self {
            by.0
        }
    }
    impl From<Option<u8>> for By {
        fn from(number: Option<u8>) -> Self {
            Self(number)
        }
    }
    let one = json!([{ "op": "replace", "path": "/0", "value": 1 }]);
    assert_eq!(ops(&vec![None, Some(Around(None))], &vec![Some(Around(None)), None]), json!([]));
    assert_eq!(ops(&vec![None::<Around>, None], &vec![Some(Around(Some(1))), None]), one);
    assert_eq!(ops(&vec![None, Some(Any::Number(None))], &vec![Some(Any::Number(None)), None]), json!([]));
    assert_eq!(ops(&vec![Some(Any::Text("a".into()))], &vec![Some(Any::Number(Some(1)))]), one);
    assert_eq!(ops(&vec![None, Some(By(None))], &vec![Some(By(None)), None]), json!([]));
    assert_eq!(ops(&vec![None::<By>, None], &vec![Some(By(Some(1))), None]), one);
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
    assert_eq!(change, StateChange::Delta(expected));
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
struct Order {
    #[serde(with = "agui_runtime::as_string::<u64>")]
    id: u64,
    #[serde(with = "agui_runtime::as_string::<String>", skip_serializing_if = "is_free")]
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
fn neighbours_beyond_2_to_the_53_are_two_numbers() {
    let limit = 1_u64 << 53;
    let change = json!([{ "op": "replace", "path": "/0", "value": limit + 1 }]);
    assert_eq!(ops(&vec![limit], &vec![limit + 1]), change);
    assert_eq!(ops(&json!([limit]), &json!([limit + 1])), change);
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
fn null_and_absent_differ() {
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
fn a_hash_map_in_another_order_is_the_same() {
    // Two maps with hashers of their own: they iterate in different orders.
    let map = || -> HashMap<String, u32> { (0..100).map(|n| (format!("name {n}"), n)).collect() };
    for _ in 0..10 {
        assert_eq!(ops(&map(), &map()), json!([]));
        let mut more = map();
        more.insert("new".to_owned(), 1);
        assert_eq!(ops(&map(), &more), json!([{ "op": "add", "path": "/new", "value": 1 }]));
    }
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
fn a_sorted_map_is_always_sent_in_the_same_form() {
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
