//! One operation with the whole, or many on its parts: whichever is shorter.

use std::collections::BTreeMap;

use agui_runtime::state::{Shadow, StateChange};
use serde_json::{Value, json};

use crate::ops;

/// Removes the elements at these places; returns the size of both forms, in bytes.
fn both_ways(old: &[String], gone: &[usize]) -> (Vec<String>, usize, usize) {
    let removes = gone.iter().rev().map(|place| json!({ "op": "remove", "path": format!("/{place}") }));
    let removes: Vec<Value> = removes.collect();
    let now: Vec<String> = old
        .iter()
        .enumerate()
        .filter(|(place, _)| !gone.contains(place))
        .map(|(_, text)| text.clone())
        .collect();
    let whole = json!([{ "op": "add", "path": "", "value": now }]);
    (now, json!(removes).to_string().len(), whole.to_string().len())
}

#[test]
fn removals_count_as_long_as_they_are() {
    let (mut wholes, mut parts) = (0, 0);
    for length in [0, 3, 12, 40] {
        let old: Vec<String> = (0..40).map(|n| format!("{n}{}", "x".repeat(length))).collect();
        for count in 1..39 {
            // Spread over the list, so that each is an operation.
            let gone: Vec<usize> = (0..40).filter(|place| (place * 7) % 40 < count).collect();
            let (now, removes, whole) = both_ways(&old, &gone);
            let sent = ops(&old, &now);
            let shortest = removes.min(whole);
            assert_eq!(sent.to_string().len(), shortest, "{count} of 40 go: {sent}");
            if whole < removes {
                wholes += 1;
            } else {
                parts += 1;
            }
        }
    }
    assert!(wholes > 20 && parts > 20, "{wholes} and {parts}");
}

#[test]
fn many_removals_do_not_use_up_the_budget() {
    let doc = |numbers: Vec<u32>| {
        BTreeMap::from([("a".to_owned(), numbers), ("b".to_owned(), (0..2_000).collect())])
    };
    let old = doc((0..2_000).collect());
    let now = doc((0..2_000).filter(|n| n % 100 == 7).collect());
    let (mut shadow, _) = Shadow::start(&old).unwrap();
    let StateChange::Delta(text) = shadow.flush(&now).unwrap() else { panic!("the whole document was sent") };
    let sent: Value = serde_json::from_str(text).unwrap();
    assert_eq!(sent, json!([{ "op": "add", "path": "/a", "value": now["a"] }]));
}
