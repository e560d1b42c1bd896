//! States that are made to be difficult. Large ones are in `large`.

use std::collections::BTreeMap;

use agui_proofs::patching::Session;
use agui_proofs::zoo::Node;
use agui_runtime::__private::engine::{PatchText, raw};
use agui_runtime::state::{Shadow, StateChange};
use serde_json::{Value, json};

use crate::ops;

const NAMES: [&str; 24] = [
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
    "toString",
    "~01",
    "a/b",
    "%2F",
    "é𝄞",
    "\u{7f}",
    "\u{2028}\u{2029}\u{feff}",
    " ",
];

#[test]
fn every_character_that_may_be_escaped_in_a_name() {
    let letters = (0..=0xff).chain([0x2028, 0x2029, 0xfeff, 0xfffd, 0x1_d11e, 0x10_ffff]);
    let names: Vec<String> =
        letters.filter_map(char::from_u32).map(|letter| format!("{letter}x{letter}")).collect();
    let mut map: BTreeMap<String, BTreeMap<String, u8>> = BTreeMap::new();
    let mut session = Session::new(&map);
    for name in &names {
        map.insert(name.clone(), BTreeMap::from([(name.clone(), 1), ("y".repeat(99), 1)]));
        session.flush(&map);
        *map.get_mut(name).unwrap().get_mut(name).unwrap() += 1;
        assert_eq!(session.flush(&map).ops, 1);
        map.get_mut(name).unwrap().remove(name);
        session.flush(&map);
    }
    // The same in an untyped document, and with another name each time.
    for pair in names.windows(2) {
        let (old, now) = (json!({ &pair[0]: { &pair[0]: [1] } }), json!({ &pair[1]: { &pair[1]: [1] } }));
        ops(&old, &now);
        ops(&json!({ "x": old, "y": "y".repeat(99) }), &json!({ "x": now, "y": "y".repeat(99) }));
    }
}

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
}

/// A run with a state of this depth, and serde_json's own writer on it.
fn deep(depth: usize) {
    let (old, mut now) = (Node::chain(depth), Node::chain(depth + 1));
    let (mut shadow, text) = Shadow::start(&old).unwrap();
    assert_eq!(text, serde_json::to_string(&old).unwrap());
    assert!(matches!(shadow.flush(&now).unwrap(), StateChange::Snapshot(_)));
    now.value = 3;
    let change = r#"[{"op":"add","path":"/value","value":3}]"#;
    assert_eq!(shadow.flush(&now).unwrap(), StateChange::Delta(change));
    let (mut sent, mut patch) = (old.clone(), PatchText::default());
    raw::sync(&mut sent, &now, &mut patch).unwrap();
    assert!(raw::same(&sent, &now));
    assert_eq!(raw::count(&patch), 2, "what lies deeper than paths reach goes with its owner");
}

/// Deeper than any practical state: the engine needs no more stack than serde_json's writer and the state's own
/// `Clone`. Without optimization, ten thousand levels take them 8 and 4 MiB, and the engine's own writer 2.
#[test]
fn no_deeper_stack_than_serde_needs() {
    for (depth, stack) in [(2_000, 2 << 20), (10_000, 8 << 20)] {
        let thread = std::thread::Builder::new().stack_size(stack).spawn(move || deep(depth)).unwrap();
        thread.join().unwrap();
    }
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
