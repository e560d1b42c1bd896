//! States that are made to hurt.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agui_runtime::__private::engine::{Patch, raw};
use agui_tests::patching::Session;
use agui_tests::zoo::{Card, Node};
use serde_json::{Value, json};

use crate::ops;

const NAMES: [&str; 16] = [
    "",
    "/",
    "~",
    "~1",
    "~0",
    "\"",
    "\\",
    "\u{0}",
    "\u{1f}\n\t",
    "-",
    "0",
    "01",
    "__proto__",
    "constructor",
    "length",
    "prototype",
];

#[test]
fn names_that_mean_something_elsewhere() {
    let mut map: BTreeMap<String, BTreeMap<String, Vec<u8>>> = BTreeMap::new();
    let mut session = Session::new(&map);
    for outer in NAMES {
        map.insert(outer.to_owned(), BTreeMap::new());
        session.flush(&map);
        for inner in NAMES {
            map.get_mut(outer).unwrap().insert(inner.to_owned(), vec![1]);
            session.flush(&map);
        }
    }
    for outer in NAMES {
        for inner in NAMES {
            map.get_mut(outer).unwrap().get_mut(inner).unwrap().push(2);
            session.flush(&map);
        }
        map.get_mut(outer).unwrap().clear();
        session.flush(&map);
        map.remove(outer);
        session.flush(&map);
    }
}

#[test]
fn the_same_names_in_a_document_without_types() {
    let objects: Vec<Value> = NAMES.iter().map(|name| json!({ *name: { *name: 1 } })).collect();
    for old in &objects {
        for now in &objects {
            ops(&json!({ "x": old, "y": 1 }), &json!({ "x": now, "y": 1 }));
        }
    }
}

/// One flush takes as long as it should: seconds here would be minutes with something quadratic.
fn quickly<T: agui_runtime::State>(old: &T, now: &T) -> usize {
    let (mut sent, mut patch) = (old.clone(), Patch::default());
    let start = Instant::now();
    raw::sync(&mut sent, now, &mut patch).unwrap();
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(raw::same(&sent, now));
    raw::count(&patch)
}

#[test]
fn a_hundred_thousand_equal_elements() {
    let old = vec![7_u32; 100_000];
    let mut now = old.clone();
    now.insert(50_000, 8);
    assert_eq!(quickly(&old, &now), 1);
    now.truncate(90_000);
    quickly(&old, &now);
    now[10] = 9;
    quickly(&old, &now);
    let texts = vec!["the same".to_owned(); 100_000];
    let mut fewer = texts.clone();
    fewer.drain(10..20_000);
    quickly(&texts, &fewer);
    quickly(&fewer, &texts);
}

#[test]
fn two_values_in_turns() {
    let turns = |first: usize| -> Vec<u8> { (0..400).map(|i| ((i + first) % 2) as u8).collect() };
    ops(&turns(0), &turns(1));
    let many = |first: usize| -> Vec<u8> { (0..100_000).map(|i| ((i + first) % 2) as u8).collect() };
    quickly(&many(0), &many(1));
}

#[test]
fn everything_the_other_way_round_or_further_on() {
    let old: Vec<u32> = (0..300).collect();
    let mut now = old.clone();
    now.reverse();
    ops(&old, &now);
    for by in [1, 2, 150, 299] {
        let mut now = old.clone();
        now.rotate_left(by);
        ops(&old, &now);
    }
    let long: Vec<u32> = (0..20_000).collect();
    let mut reversed = long.clone();
    reversed.reverse();
    quickly(&long, &reversed);
    let mut rotated = long.clone();
    rotated.rotate_left(1);
    assert_eq!(quickly(&long, &rotated), 1);
}

#[test]
fn one_key_for_all() {
    let card = |title: &str| Card { card_id: 1, title: title.to_owned(), ..Card::default() };
    let old: Vec<Card> = ["a", "b", "c", "d"].map(card).into();
    let mut now = old.clone();
    now.swap(0, 3);
    now.remove(1);
    now.push(card("e"));
    ops(&old, &now);
    let titles: Vec<String> = (0..3_000).map(|i| i.to_string()).collect();
    let old: Vec<Card> = titles.iter().map(|title| card(title)).collect();
    let mut now = old.clone();
    now.rotate_left(1_000);
    quickly(&old, &now);
}

#[test]
fn as_deep_as_a_client_reads_and_deeper() {
    let mut session = Session::new(&Node::chain(100));
    let mut deep = Node::chain(100);
    let mut last = &mut deep;
    while last.next.is_some() {
        last = last.next.as_mut().unwrap();
    }
    last.value = 9;
    session.flush(&deep);
    session.flush(&Node::chain(60));

    // Deeper than serde_json reads: what is written must still be right, and nothing may overflow that serde_json's own
    // writer survives.
    let run = || {
        let (old, mut now) = (Node::chain(10_000), Node::chain(10_001));
        let (mut sent, mut patch) = (old.clone(), Patch::default());
        raw::sync(&mut sent, &now, &mut patch).unwrap();
        assert!(raw::same(&sent, &now));
        now.value = 3;
        raw::sync(&mut sent, &now, &mut patch).unwrap();
        assert_eq!(raw::count(&patch), 1);
    };
    std::thread::Builder::new().stack_size(1 << 30).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_megabyte_of_text() {
    let old = vec!["x".repeat(1 << 20), "y".to_owned()];
    let mut now = old.clone();
    now[1].push('z');
    assert_eq!(ops(&old, &now), json!([{ "op": "replace", "path": "/1", "value": "yz" }]));
    now[0].push('"');
    ops(&old, &now);
}

#[test]
fn a_map_whose_every_name_changes() {
    let map = |prefix: &str| -> BTreeMap<String, u32> {
        (0..300).map(|i| (format!("{prefix}{i:03}"), i)).collect()
    };
    ops(&map("a"), &map("b"));
    let mut session = Session::new(&map("a"));
    session.flush(&map("c"));
    session.flush(&BTreeMap::new());
    session.flush(&map("d"));
}

#[test]
fn another_type_at_the_root() {
    let values = [json!(null), json!(1), json!("a"), json!([]), json!([1]), json!({}), json!({ "a": 1 })];
    for old in &values {
        for now in &values {
            let sent = ops(old, now);
            assert!(sent.as_array().unwrap().len() <= 1);
        }
    }
}
