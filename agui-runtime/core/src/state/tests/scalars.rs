//! Tests with numbers, texts, options and pointers: the JSON of unusual values.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use super::super::engine::{FlatMembers, JsonOut, PatchText, StatePath};
use super::super::{Shadow, StateChange, StateNode};
use super::{check, json, synced};

#[test]
fn floats() {
    assert_eq!(check(&f64::NAN, &f64::INFINITY), "[]");
    assert_eq!(check(&0.0, &-0.0), "[]");
    assert_eq!(check(&1.0, &f64::NEG_INFINITY), r#"[{"op":"add","path":"","value":null}]"#);
    assert_eq!(check(&0.0_f32, &0.1_f32), r#"[{"op":"add","path":"","value":0.1}]"#);
    assert_eq!(check(&0.0, &1e300), r#"[{"op":"add","path":"","value":1e+300}]"#);
    check(&f32::MIN_POSITIVE, &f32::MAX);
}

#[test]
fn integers_beyond_the_precision_of_a_float_differ() {
    assert!(check(&9_007_199_254_740_993_u64, &9_007_199_254_740_992_u64).contains("9007199254740992"));
    let mut sent = 1_u128;
    assert!(synced(&mut sent, &u128::MAX).contains("340282366920938463463374607431768211455"));
    let mut sent = 1_i128;
    assert!(synced(&mut sent, &i128::MIN).contains("-170141183460469231731687303715884105728"));
}

#[test]
fn nested_empty_options_are_null() {
    assert_eq!(check(&None::<Option<u8>>, &Some(None)), "[]");
    assert_eq!(check(&Some(None::<u8>), &Some(Some(1))), r#"[{"op":"add","path":"","value":1}]"#);
    assert_eq!(check(&Some(f64::NAN), &None), "[]");
    assert_eq!(check(&Some(()), &None), "[]");
    check(&vec![None, Some(Some(1))], &vec![Some(None), Some(Some(2)), None]);
}

#[test]
fn keys_are_names() {
    let map = |keys: &[i64]| keys.iter().map(|key| (*key, vec![*key; 3])).collect::<BTreeMap<_, _>>();
    let ops = check(&map(&[-1, 2, 3, 4]), &map(&[-1, 2, 3, 5]));
    assert_eq!(ops, r#"[{"op":"remove","path":"/4"},{"op":"add","path":"/5","value":[5,5,5]}]"#);
    check(&HashMap::from([(true, 1)]), &HashMap::from([(true, 2), (false, 3)]));
    #[cfg(feature = "indexmap")]
    check(
        &indexmap::IndexMap::from([('a', 1), ('/', 2)]),
        &indexmap::IndexMap::from([('/', 1), ('~', 2), ('a', 2)]),
    );
    check(&BTreeMap::from([(1_u128 << 100, 'x')]), &BTreeMap::from([(1_u128 << 101, 'y')]));
    let texts: BTreeMap<Arc<str>, Cow<'static, str>> = BTreeMap::from([("a".into(), "x".into())]);
    check(&texts, &BTreeMap::from([("b".into(), "x".into())]));
}

#[test]
fn a_member_under_another_name_is_moved() {
    let map = |name: &str| BTreeMap::from([(name.to_owned(), vec![1, 2]), ("z".to_owned(), vec![0; 40])]);
    assert_eq!(check(&map("a"), &map("b")), r#"[{"op":"move","from":"/a","path":"/b"}]"#);
}

#[test]
fn shared_pointers_are_not_compared() {
    /// A value that does not even equal itself.
    #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Never;
    impl StateNode for Never {
        fn same(&self, _: &Self) -> bool {
            false
        }
    }

    let live = Arc::new(Never);
    assert_eq!(synced(&mut Arc::clone(&live), &live), "[]");
    assert!(Arc::clone(&live).same(&live));
    let live = Rc::new(vec![Never]);
    assert_eq!(synced(&mut Rc::clone(&live), &live), "[]");
}

#[test]
fn a_shared_value_is_shared_with_the_sent_copy() {
    let old = Arc::new(vec!["a text that is long enough".to_owned(), "b".to_owned()]);
    let mut sent = Arc::clone(&old);
    let mut live = Arc::clone(&old);
    Arc::make_mut(&mut live)[1].push('!');
    assert_eq!(synced(&mut sent, &live), r#"[{"op":"replace","path":"/1","value":"b!"}]"#);
    assert!(Arc::ptr_eq(&sent, &live));
    assert_eq!(old[1], "b", "what others hold stays");
    check(&Box::new(1), &Box::new(2));
    check(&Cow::Borrowed("a"), &Cow::<'static, str>::Owned("b".into()));
}

#[test]
fn a_set_in_another_order_is_the_same() {
    let mut sent: HashSet<u8> = (0..20).collect();
    assert_eq!(synced(&mut sent, &(0..20).rev().collect()), "[]");
    assert_eq!(synced(&mut sent, &HashSet::from([7])), r#"[{"op":"add","path":"","value":[7]}]"#);
}

#[test]
fn fixed_positions_are_not_aligned() {
    let long = |text: &str| format!("{text}, with a text that is long enough");
    let triple = |number: u8, last: &str| (number, long("a").repeat(4), last.to_owned());
    assert_eq!(
        check(&triple(1, "c"), &triple(2, "b")),
        r#"[{"op":"replace","path":"/0","value":2},{"op":"replace","path":"/2","value":"b"}]"#
    );
    check(&[long("a"), long("b"), long("c")], &[long("b"), long("c"), long("d")]);
    check(&Duration::from_secs(1), &Duration::from_millis(1));
}

#[test]
fn existing_members_are_replaced_in_an_exact_state() {
    let map = |value: u8| BTreeMap::from([("a".to_owned(), vec![value; 40]), ("b".to_owned(), vec![1; 300])]);
    let mut new = map(2);
    new.insert("c".to_owned(), Vec::new());
    let (shadow, _) = Shadow::start(&map(1)).unwrap();
    let mut shadow = shadow.exact(true);
    let StateChange::Delta(ops) = shadow.flush(&new).unwrap() else { panic!() };
    assert!(
        ops.contains(r#"{"op":"replace","path":"/a","#) && ops.contains(r#"{"op":"add","path":"/c","#),
        "{ops}"
    );
}

#[test]
fn the_whole_is_sent_when_the_delta_is_longer_than_half_of_it() {
    let old: Vec<u32> = (1000..2000).collect();
    let (mut shadow, text) = Shadow::start(&old).unwrap();
    assert_eq!(text, serde_json::to_string(&old).unwrap());
    let mut now = old.clone();
    now[7] = 0;
    assert!(matches!(
        shadow.flush(&now).unwrap(),
        StateChange::Delta(r#"[{"op":"replace","path":"/7","value":0}]"#)
    ));
    let now: Vec<u32> = (3000..4000).collect();
    assert_eq!(shadow.flush(&now).unwrap(), StateChange::Snapshot(&serde_json::to_string(&now).unwrap()));
    assert_eq!(shadow.flush(&now).unwrap(), StateChange::Nothing);
    assert_eq!(shadow.resend().unwrap(), serde_json::to_string(&now).unwrap());
}

#[test]
fn small_states_show_their_changes() {
    let state = |n: u32| {
        BTreeMap::from([("count", n), ("limit", 100), ("something_else", 1)].map(|(k, v)| (k.to_owned(), v)))
    };
    let (mut shadow, _) = Shadow::start(&state(1)).unwrap();
    assert_eq!(
        shadow.flush(&state(2)).unwrap(),
        StateChange::Delta(r#"[{"op":"add","path":"/count","value":2}]"#)
    );
    let (mut shadow, _) = Shadow::start(&vec![1]).unwrap();
    assert_eq!(shadow.flush(&vec![2]).unwrap(), StateChange::Snapshot("[2]"), "shorter than its delta");
}

/// A number that has no JSON form when it is zero.
#[derive(Debug, Clone, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct NotZero(u8);

impl serde::Serialize for NotZero {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 { Err(serde::ser::Error::custom("zero")) } else { serializer.serialize_u8(self.0) }
    }
}

impl StateNode for NotZero {}

#[test]
fn after_a_value_without_json_the_whole_is_sent() {
    let state = |n: u8| (NotZero(n), "a text that is long enough for deltas".to_owned());
    assert!(Shadow::start(&state(0)).is_err());
    let (mut shadow, _) = Shadow::start(&state(1)).unwrap();
    assert_eq!(shadow.flush(&state(0)).unwrap_err().to_string(), "the state has no JSON form");
    assert!(shadow.flush(&state(0)).is_err());
    let text = serde_json::to_string(&state(3)).unwrap();
    assert_eq!(shadow.flush(&state(3)).unwrap(), StateChange::Snapshot(&text));
    assert!(matches!(shadow.flush(&state(4)).unwrap(), StateChange::Delta(_)));
}

#[test]
fn members_with_nothing_in_common_are_exchanged() {
    let map = |name: &str| Some(BTreeMap::from([(name.to_owned(), 0.1_f32), ("both".to_owned(), 1.0)]));
    for (old, now) in [(None, map("a")), (map("a"), None), (None, None)] {
        let mut sent = old.clone();
        let mut patch = PatchText::default();
        sent.sync_members(&now, &StatePath::root(), &mut patch);
        let ops = patch.close().unwrap().to_owned();
        let document = |members: &Option<BTreeMap<String, f32>>| json(&members.clone().unwrap_or_default());
        assert_eq!(super::applied(&document(&old), &ops), document(&now));
        assert_eq!(sent, now);
    }
}

proptest! {
    #[test]
    fn text_is_written_as_serde_json_writes_it(text in prop_oneof![".{0,200}", "[ -~]{30,34}[\\x00-\\x1f\"\\\\]?[ -~]{0,70}"]) {
        let mut out = JsonOut::default();
        text.write(&mut out);
        prop_assert_eq!(out.finish().unwrap(), serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn numbers_are_written_as_serde_json_writes_them(wide in any::<f64>(), narrow in any::<f32>(), whole in any::<i64>()) {
        check(&(wide, narrow, whole), &(f64::from(narrow), 1.0, 2));
    }
}
