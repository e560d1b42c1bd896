//! A hundred thousand of everything: right, and never in quadratic time.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use agui_proofs::zoo::{Sample, Source};
use agui_runtime::__private::engine::{PatchText, raw};
use agui_runtime::prelude::*;
use agui_runtime::state::{Shadow, StateChange};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ops;

const MANY: usize = 100_000;

/// The processor time of this thread, which other load does not change; else the clock.
fn worked(since: Instant) -> Duration {
    let nanoseconds = fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// The operations from one value to the other, by the engine alone and by a shadow with its budget.
fn synced<T: State>(old: &T, now: &T) -> PatchText {
    let (mut sent, mut patch) = (old.clone(), PatchText::default());
    raw::sync(&mut sent, now, &mut patch).unwrap();
    assert!(raw::same(&sent, now));
    let (mut shadow, _) = Shadow::start(old).unwrap();
    assert_ne!(shadow.flush(now).unwrap(), StateChange::Nothing);
    assert_eq!(shadow.flush(now).unwrap(), StateChange::Nothing);
    patch
}

/// Four times the size takes about four times as long; in quadratic time it would be sixteen. Returns the number of
/// operations.
fn grows<T: State>(make: impl Fn(usize) -> (T, T)) -> usize {
    let cost = |size: usize| {
        let (old, now) = make(size);
        let start = Instant::now();
        let before = worked(start);
        let patch = synced(&old, &now);
        (worked(start).saturating_sub(before), raw::count(&patch))
    };
    let (few, _) = cost(MANY / 4);
    let (many, count) = cost(MANY);
    let limit = few * 9 + Duration::from_millis(500);
    assert!(many < limit, "{few:?} for {}, {many:?} for {MANY}", MANY / 4);
    count
}

/// The same numbers in an order that a seed decides.
fn shuffled(size: usize, seed: u64) -> Vec<usize> {
    let mut source = Source::seeded(seed);
    let mut order: Vec<usize> = (0..size).collect();
    for last in (1..size).rev() {
        let drawn = [(); 4].iter().fold(0, |number, ()| number << 8 | usize::from(source.byte()));
        order.swap(last, drawn % (last + 1));
    }
    order
}

/// Long enough for an operation on one to be worth it.
fn text(number: usize) -> String {
    format!("{number:050}")
}

fn texts(order: impl IntoIterator<Item = usize>) -> Vec<String> {
    order.into_iter().map(text).collect()
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
struct Item {
    #[state(key)]
    id: usize,
    text: String,
}

fn items(order: impl IntoIterator<Item = usize>) -> Vec<Item> {
    order.into_iter().map(|id| Item { id, text: text(id) }).collect()
}

#[test]
fn all_equal() {
    assert_eq!(
        grows(|size| {
            let old = vec![7_u32; size];
            let mut now = old.clone();
            now.insert(size / 2, 8);
            (old, now)
        }),
        1
    );
    grows(|size| (vec![7_u32; size], vec![7_u32; size / 10 * 9]));
    grows(|size| (vec![text(1); size], vec![text(1); size / 5 * 4]));
    grows(|size| (vec![text(1); size / 5 * 4], vec![text(1); size]));
}

#[test]
fn two_values_in_turns() {
    grows(|size| {
        let turns = |first: usize| -> Vec<String> { (0..size).map(|i| text((i + first) % 2)).collect() };
        (turns(0), turns(1))
    });
    grows(|size| {
        let runs = |length: usize| -> Vec<u8> { (0..size).map(|i| (i / length % 2) as u8).collect() };
        (runs(1), runs(3))
    });
}

#[test]
fn reversed() {
    grows(|size| (texts(0..size), texts((0..size).rev())));
    grows(|size| (items(0..size), items((0..size).rev())));
}

#[test]
fn rotated() {
    let rotated = |size: usize, by: usize| (0..size).map(move |i| (i + by) % size);
    assert_eq!(grows(|size| (texts(0..size), texts(rotated(size, 1)))), 1);
    assert_eq!(grows(|size| (texts(0..size), texts(rotated(size, size - 1)))), 1);
    grows(|size| (texts(0..size), texts(rotated(size, size / 2))));
    assert_eq!(grows(|size| (items(0..size), items(rotated(size, 1)))), 1);
}

#[test]
fn shuffled_at_random() {
    grows(|size| (texts(0..size), texts(shuffled(size, 1))));
    grows(|size| (items(0..size), items(shuffled(size, 2))));
    // Some are removed, some added, some changed.
    grows(|size| {
        let mut now = items(shuffled(size, 3).into_iter().filter(|n| n % 7 != 0));
        now.iter_mut().step_by(5).for_each(|item| item.text.push('!'));
        now.splice(size / 3..size / 3, items(size..size + size / 10));
        (items(0..size), now)
    });
}

/// Follows operations that move, remove and add elements of a list.
fn replayed(mut list: Vec<usize>, patch: &PatchText) -> Vec<usize> {
    let text = format!("{}]", String::from_utf8_lossy(raw::open_text(patch)));
    let ops: Vec<Value> = serde_json::from_str(&text).unwrap();
    let place = |op: &Value, member: &str, end: usize| match &op[member].as_str().unwrap()[1..] {
        "-" => end,
        index => index.parse::<usize>().unwrap(),
    };
    for op in &ops {
        match op["op"].as_str().unwrap() {
            "move" => {
                let moved = list.remove(place(op, "from", 0));
                list.insert(place(op, "path", list.len()), moved);
            }
            "remove" => drop(list.remove(place(op, "path", 0))),
            "add" => {
                list.insert(place(op, "path", list.len()), op["value"].as_str().unwrap().parse().unwrap());
            }
            _ => list[place(op, "path", 0)] = op["value"].as_str().unwrap().parse().unwrap(),
        }
    }
    list
}

#[test]
fn a_hundred_thousand_moves_lead_where_they_should() {
    let mut order = shuffled(MANY, 4);
    order.retain(|n| n % 11 != 0);
    order.splice(500..500, MANY..MANY + 1_000);
    let patch = synced(&texts(0..MANY), &texts(order.iter().copied()));
    assert!(raw::count(&patch) > MANY / 2, "{} operations", raw::count(&patch));
    assert_eq!(replayed((0..MANY).collect(), &patch), order);
}

#[test]
fn one_key_for_all() {
    let same = |texts: Vec<usize>| -> Vec<Item> {
        texts.into_iter().map(|n| Item { id: 1, text: text(n) }).collect()
    };
    grows(|size| (same((0..size).collect()), same((0..size).map(|i| (i + size / 3) % size).collect())));
    grows(|size| (same((0..size).collect()), same(shuffled(size, 5))));
    grows(|size| (same((0..size).collect()), same((0..size / 2).collect())));
    // Two keys for all.
    grows(|size| {
        let items = |order: Vec<usize>| -> Vec<Item> {
            order.into_iter().map(|n| Item { id: n % 2, text: text(n) }).collect()
        };
        (items((0..size).collect()), items(shuffled(size, 6)))
    });
    let card = |title: &str| Item { id: 1, text: title.to_owned() };
    let old: Vec<Item> = ["a", "b", "c", "d"].map(card).into();
    let mut now = old.clone();
    now.swap(0, 3);
    now.remove(1);
    now.push(card("e"));
    ops(&old, &now);
}

#[test]
fn a_list_that_is_all_new() {
    grows(|size| (texts(0..size), texts(size..2 * size)));
    grows(|size| (items(0..size), items(size..2 * size)));
    grows(|size| (Vec::new(), items(0..size)));
    grows(|size| (items(0..size), Vec::new()));
}

#[test]
fn maps_whose_every_name_changes() {
    let named =
        |size: usize, prefix: &str| (0..size).map(|n| (format!("{prefix}{n}"), n)).collect::<Vec<_>>();
    grows(|size| -> (BTreeMap<_, _>, BTreeMap<_, _>) {
        (named(size, "a").into_iter().collect(), named(size, "b").into_iter().collect())
    });
    grows(|size| -> (IndexMap<_, _>, IndexMap<_, _>) {
        (named(size, "a").into_iter().collect(), named(size, "b").into_iter().collect())
    });
    grows(|size| {
        let object = |prefix| -> Value {
            named(size, prefix).into_iter().map(|(name, n)| (name, json!(n))).collect::<Map<_, _>>().into()
        };
        (object("a"), object("b"))
    });
    // The same value everywhere: any could be a renamed other.
    grows(|size| -> (BTreeMap<_, _>, BTreeMap<_, _>) {
        let all = |prefix| named(size, prefix).into_iter().map(|(name, _)| (name, 7_u8)).collect();
        (all("a"), all("b"))
    });
}

#[test]
fn maps_that_are_new_or_gone_or_changed_everywhere() {
    let map = |size: usize, add: usize| -> BTreeMap<String, usize> {
        (0..size).map(|n| (format!("name {n}"), n + add)).collect()
    };
    grows(|size| (BTreeMap::new(), map(size, 0)));
    grows(|size| (map(size, 0), BTreeMap::new()));
    grows(|size| (map(size, 0), map(size, 1)));
}

#[test]
fn lists_in_two_orders_are_right_when_they_are_small() {
    let old: Vec<u32> = (0..300).collect();
    let mut now = old.clone();
    now.reverse();
    ops(&old, &now);
    for by in [1, 2, 150, 299] {
        let mut now = old.clone();
        now.rotate_left(by);
        ops(&old, &now);
    }
    let turns = |first: usize| -> Vec<u8> { (0..400).map(|i| ((i + first) % 2) as u8).collect() };
    ops(&turns(0), &turns(1));
    for seed in 0..20 {
        let mut now = texts(shuffled(200, seed));
        now.truncate(190);
        now.nudge(&mut Source::seeded(seed));
        ops(&texts(0..200), &now);
    }
}
