//! List tests: every small case, and many larger ones.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::StateNode;
use super::super::engine::{PatchText, StatePath, ValueToken};
use super::{applied, check, json, synced};
use crate::testing::sampled::{cases, share};

fn sequences(length: usize, letters: u8) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|word: &Vec<u8>| {
                (0..letters).map(|letter| word.iter().copied().chain([letter]).collect::<Vec<u8>>())
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn every_pair_of_short_sequences() {
    let all = sequences(5, 3);
    for (number, old) in all.iter().enumerate() {
        let before = json(old);
        for now in share(&all, number) {
            let mut sent = old.clone();
            let ops = synced(&mut sent, now);
            assert_eq!(&sent, now, "{old:?} {ops}");
            assert_eq!(applied(&before, &ops), json(now), "{old:?} {ops}");
            assert_eq!(ops == "[]", old == now);
        }
    }
}

/// Returns a text longer than any operation on it, so that operations are shorter than the whole.
pub(super) fn spelled(letter: u8) -> String {
    format!("{letter}: a text that is longer than what is said of it, so that it is not sent whole")
}

#[test]
fn every_pair_of_short_sequences_of_long_elements() {
    let all: Vec<Vec<String>> =
        sequences(4, 3).iter().map(|word| word.iter().copied().map(spelled).collect()).collect();
    let mut several = 0;
    let mut pairs = 0;
    for (number, old) in all.iter().enumerate() {
        let before = json(old);
        for now in share(&all, number) {
            let mut sent = old.clone();
            let ops = synced(&mut sent, now);
            assert_eq!(&sent, now, "{old:?} {ops}");
            assert_eq!(applied(&before, &ops), json(now), "{old:?} {ops}");
            pairs += 1;
            several += usize::from(ops.matches("\"op\"").count() > 1);
        }
    }
    assert!(several > pairs / 3, "{several} of {pairs}");
}

/// An element with a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct KeyedRow {
    pub(super) id: String,
    pub(super) edits: u8,
}

impl StateNode for KeyedRow {
    const KEYED: bool = true;

    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        let mark = out.mark();
        self.id.sync(&now.id, &at.lit("/id"), out);
        self.edits.sync(&now.edits, &at.lit("/edits"), out);
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut ValueToken) {
        self.id.token(token);
        self.edits.token(token);
    }

    fn key_same(&self, now: &Self) -> bool {
        self.id == now.id
    }

    fn key_token(&self, token: &mut ValueToken) {
        self.id.token(token);
    }
}

#[test]
fn every_pair_of_short_keyed_sequences() {
    let orders: Vec<Vec<u8>> = sequences(4, 4)
        .into_iter()
        .filter(|word| (1..word.len()).all(|end| !word[..end].contains(&word[end])))
        .collect();
    let with = |order: &[u8], edits: u8| -> Vec<KeyedRow> {
        let keyed = |(place, id): (usize, &u8)| KeyedRow { id: spelled(*id), edits: edits >> place & 1 };
        order.iter().enumerate().map(keyed).collect()
    };
    assert_eq!(orders.len(), 65);
    for (number, old) in orders.iter().map(|order| with(order, 0)).enumerate() {
        let before = json(&old);
        for order in share(&orders, number) {
            for now in (0..1 << order.len()).map(|edits| with(order, edits)) {
                let mut sent = old.clone();
                let ops = synced(&mut sent, &now);
                assert_eq!(sent, now, "{old:?} {ops}");
                assert_eq!(applied(&before, &ops), json(&now), "{old:?} {ops}");
            }
        }
    }
}

#[test]
fn usual_edits_take_one_operation() {
    let list = |range: std::ops::Range<u32>| range.map(|n| format!("element {n}")).collect::<Vec<_>>();
    let old = list(0..40);
    let case = |edit: &dyn Fn(&mut Vec<String>)| {
        let mut now = old.clone();
        edit(&mut now);
        check(&old, &now)
    };
    assert_eq!(case(&|list| list.push("x".into())), r#"[{"op":"add","path":"/-","value":"x"}]"#);
    assert_eq!(case(&|list| list.insert(0, "x".into())), r#"[{"op":"add","path":"/0","value":"x"}]"#);
    assert_eq!(case(&|list| drop(list.remove(20))), r#"[{"op":"remove","path":"/20"}]"#);
    assert_eq!(case(&|list| list[7] = "x".into()), r#"[{"op":"replace","path":"/7","value":"x"}]"#);
    assert_eq!(
        case(&|list| {
            let moved = list.remove(35);
            list.insert(3, moved);
        }),
        r#"[{"op":"move","from":"/35","path":"/3"}]"#
    );
    assert_eq!(
        case(&|list| list.swap(5, 30)),
        r#"[{"op":"move","from":"/30","path":"/5"},{"op":"move","from":"/6","path":"/30"}]"#
    );
}

#[test]
fn structure_comes_before_contents() {
    let old = json!([{"id": 1, "n": 1}, {"id": 2, "n": 2}, {"id": 3, "n": 3}, {"id": 4, "text": "the last of them"}]);
    let now = json!([{"id": 1, "n": 1}, {"id": 2, "n": 4}, {"id": 4, "text": "the last of them"}]);
    assert_eq!(check(&old, &now), r#"[{"op":"remove","path":"/2"},{"op":"add","path":"/1/n","value":4}]"#);
}

#[test]
fn large_and_uniform_lists_are_synced() {
    let old: Vec<u8> = vec![1; 100_000];
    let mut now = old.clone();
    now.truncate(99_000);
    let mut sent = old.clone();
    synced(&mut sent, &now);
    assert_eq!(sent, now);
    // Two alternating values against their swap, and a rotation of the whole list.
    let old: Vec<u8> = (0..100_000_u32).map(|n| u8::try_from(n % 2).unwrap()).collect();
    let now: Vec<u8> = old.iter().map(|n| 1 - n).collect();
    let mut sent = old.clone();
    let ops = synced(&mut sent, &now);
    assert_eq!(sent, now);
    assert!(ops.len() < 200, "{}", ops.len());
    let old: Vec<u32> = (0..50_000).collect();
    let mut now = old.clone();
    now.rotate_left(17_000);
    let mut sent = old;
    synced(&mut sent, &now);
    assert_eq!(sent, now);
}

#[test]
fn deques_and_sets() {
    let old: VecDeque<u32> = (0..20).collect();
    let mut now: VecDeque<u32> = (5..20).collect();
    // Its elements wrap around the end of its memory.
    for n in 0..10 {
        now.push_front(100 + n);
    }
    check(&old, &now);
    let set = |numbers: &[u32]| -> BTreeSet<String> {
        numbers.iter().map(|n| format!("{n}, with a text that makes it long enough")).collect()
    };
    let ops = check(&set(&[1, 3, 5, 7]), &set(&[1, 2, 5, 7, 9]));
    let places: Vec<_> = ops.split("\"path\":\"").skip(1).filter_map(|op| op.split('"').next()).collect();
    assert_eq!(places, ["/1", "/2", "/-"], "{ops}");
}

#[test]
fn lists_other_than_vectors_are_synced() {
    let list = |range: std::ops::Range<u32>| range.map(|n| format!("element {n}")).collect::<Vec<_>>();
    let (old, mut now) = (list(0..30), list(0..30));
    now.remove(7);
    now.swap(1, 20);
    now.push("the last".to_owned());
    let ops = check(&old, &now);
    type Shared<T> = std::rc::Rc<[T]>;
    assert_eq!(check(&old.clone().into_boxed_slice(), &now.clone().into_boxed_slice()), ops);
    assert_eq!(check(&Cow::<'static, [String]>::Owned(old.clone()), &Cow::Owned(now.clone())), ops);
    assert_eq!(check(&Shared::from(old.clone()), &Shared::from(now.clone())), ops);
    assert_eq!(check(&Arc::<[String]>::from(old), &Arc::from(now)), ops);
    check(&std::rc::Rc::<str>::from("one"), &"two".into());
}

/// Row ids, with the number of edits to each row.
type RowEdits = Vec<(u32, u8)>;

/// Generates a permutation of `0..length` with some rows removed, some added and some edited.
fn turns() -> impl Strategy<Value = (RowEdits, RowEdits)> {
    (0_u32..60).prop_flat_map(|length| {
        let old: Vec<(u32, u8)> = (0..length).map(|id| (id, 0)).collect();
        let changed = proptest::collection::vec((0..8_u8, 0..70_u32), 0..20);
        (Just(old.clone()), Just(old.clone()).prop_shuffle(), any::<bool>(), changed).prop_map(
            |(old, shuffled, shuffle, changes)| {
                let mut now = if shuffle { shuffled } else { old.clone() };
                for (kind, at) in changes {
                    let place = if now.is_empty() { 0 } else { at as usize % now.len() };
                    match kind {
                        0 => now.insert(place, (1000 + at, 0)),
                        1 if !now.is_empty() => drop(now.remove(place)),
                        2 if !now.is_empty() => now[place].1 += 1,
                        3 if !now.is_empty() => {
                            let moved = now.remove(place);
                            now.push(moved);
                        }
                        4 if !now.is_empty() => now.swap(0, place),
                        5 if !now.is_empty() => now.push(now[place]),
                        _ => {}
                    }
                }
                (old, now)
            },
        )
    })
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn permutations_with_drops_arrivals_and_edits((old, now) in turns()) {
        check(&old, &now);
        let text = |list: &[(u32, u8)]| -> Vec<String> {
            list.iter().map(|(id, edit)| format!("{id} and a text that is longer, {edit}")).collect()
        };
        check(&text(&old), &text(&now));
        let keyed = |list: &[(u32, u8)]| -> Vec<KeyedRow> {
            list.iter().map(|(id, edits)| KeyedRow { id: format!("{id} and a longer text"), edits: *edits }).collect()
        };
        check(&keyed(&old), &keyed(&now));
    }
}
