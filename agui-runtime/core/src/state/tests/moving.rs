//! Elements that change from one list to another.

use std::collections::BTreeMap;

use super::super::Tracked;
use super::arrays::{KeyedRow, spelled};
use super::{applied, check, json, synced};
use crate::testing::sampled::share;

fn keyed(ids: &str) -> Vec<KeyedRow> {
    ids.bytes().map(|id| KeyedRow { id: spelled(id), edits: 0 }).collect()
}

fn two(one: &str, other: &str) -> (Vec<KeyedRow>, Vec<KeyedRow>) {
    (keyed(one), keyed(other))
}

#[test]
fn an_element_moves_in_both_directions() {
    let apart = two("abc", "de");
    assert_eq!(check(&apart, &two("ac", "dbe")), r#"[{"op":"move","from":"/0/1","path":"/1/1"}]"#);
    assert_eq!(check(&apart, &two("abec", "d")), r#"[{"op":"move","from":"/1/1","path":"/0/2"}]"#);
    assert_eq!(check(&apart, &two("ab", "dec")), r#"[{"op":"move","from":"/0/2","path":"/1/2"}]"#);
}

#[test]
fn several_elements_move_at_once() {
    assert_eq!(
        check(&two("abcd", "e"), &two("bd", "cea")),
        r#"[{"op":"move","from":"/0/2","path":"/1/0"},{"op":"move","from":"/0/0","path":"/1/2"}]"#
    );
    assert_eq!(
        check(&two("abcd", "ef"), &two("", "efabcd")).matches("\"op\":\"move\"").count(),
        4,
        "all of a list"
    );
}

#[test]
fn two_elements_change_places() {
    assert_eq!(
        check(&two("abc", "de"), &two("adc", "be")),
        r#"[{"op":"move","from":"/1/0","path":"/0/1"},{"op":"move","from":"/0/2","path":"/1/0"}]"#
    );
}

#[test]
fn contents_follow_under_the_new_path() {
    let mut now = two("ac", "dbe");
    now.1[1].edits = 7;
    assert_eq!(
        check(&two("abc", "de"), &now),
        r#"[{"op":"move","from":"/0/1","path":"/1/1"},{"op":"add","path":"/1/1/edits","value":7}]"#
    );
}

#[test]
fn a_key_in_both_lists_is_removed_or_added() {
    let remove = r#"[{"op":"remove","path":"/0/1"}]"#;
    assert_eq!(check(&two("abc", "db"), &two("ac", "db")), remove);
    let added = check(&two("abc", "d"), &two("abc", "db"));
    assert!(added.starts_with(r#"[{"op":"add","path":"/1/-""#), "{added}");
}

#[test]
fn lists_in_maps_and_lists_exchange_elements() {
    let map = |one: &str, other: &str| {
        BTreeMap::from([("a/b".to_owned(), keyed(one)), ("c".to_owned(), keyed(other))])
    };
    assert_eq!(
        check(&map("abc", "d"), &map("ac", "bd")),
        r#"[{"op":"move","from":"/a~1b/1","path":"/c/0"}]"#
    );
    let lists = |lists: &[&str]| lists.iter().map(|list| keyed(list)).collect::<Vec<_>>();
    assert_eq!(
        check(&lists(&["abc", "d", "ef"]), &lists(&["bc", "d", "efa"])),
        r#"[{"op":"move","from":"/0/0","path":"/2/2"}]"#
    );
}

#[test]
fn recorded_changes_move_elements_too() {
    let mut sent = (Tracked::new(keyed("abc")), Tracked::new(keyed("d")));
    let before = json(&sent);
    assert_eq!(synced(&mut sent, &(Tracked::new(keyed("abc")), Tracked::new(keyed("d")))), "[]");
    let mut now = sent.clone();
    let moved = now.0.remove(1);
    now.1.push(moved);
    let ops = synced(&mut sent, &now);
    assert_eq!(ops, r#"[{"op":"move","from":"/0/1","path":"/1/1"}]"#);
    assert_eq!(applied(&before, &ops), json(&now));
}

#[test]
fn long_elements_move_within_the_budget() {
    let long = |id: &str| vec![KeyedRow { id: id.repeat(20_000), edits: 0 }];
    let moved = check(&(long("a"), long("b")), &(Vec::new(), [long("b"), long("a")].concat()));
    assert_eq!(moved, r#"[{"op":"move","from":"/0/0","path":"/1/1"}]"#);
}

/// Returns every way to deal at most four elements to lists, in every order.
fn deals(lists: usize) -> Vec<Vec<String>> {
    let mut all = vec![vec![String::new(); lists]];
    for letter in "abcd".chars() {
        for deal in all.clone() {
            for list in 0..lists {
                for place in 0..=deal[list].len() {
                    let mut deal = deal.clone();
                    deal[list].insert(place, letter);
                    all.push(deal);
                }
            }
        }
    }
    all
}

#[test]
fn every_way_to_deal_elements_to_two_lists() {
    let deals = deals(2);
    assert_eq!(deals.len(), 1 + 4 * 2 + 6 * 6 + 4 * 24 + 120);
    let mut moves = 0;
    for (number, from) in deals.iter().enumerate() {
        let thirds: Vec<_> = deals.iter().skip(number % 3).step_by(3).collect();
        for to in share(&thirds, number) {
            let [old, mut now] = [from, to].map(|deal| two(&deal[0], &deal[1]));
            if number % 2 == 0 {
                now.0
                    .iter_mut()
                    .chain(&mut now.1)
                    .for_each(|element| element.edits = u8::from(element.id > spelled(b'b')));
            }
            let before = json(&old);
            let mut sent = old.clone();
            let ops = synced(&mut sent, &now);
            assert_eq!(sent, now, "{old:?} {ops}");
            assert_eq!(applied(&before, &ops), json(&now), "{old:?} {ops}");
            // An element of both documents is not sent again, unless a whole list is shorter.
            let is_whole =
                ["\"\"", "\"/0\"", "\"/1\""].iter().any(|path| ops.contains(&format!("\"path\":{path}")));
            if is_whole {
                continue;
            }
            let gained = to.concat().chars().filter(|letter| !from.concat().contains(*letter)).count();
            assert_eq!(ops.matches(": a text that").count(), gained, "{from:?} {to:?} {ops}");
            moves += ops.matches("\"op\":\"move\"").count();
        }
    }
    assert!(moves > 1_000, "{moves}");
}

#[test]
fn every_way_to_deal_elements_to_lists_in_a_list() {
    let deals = deals(3);
    for (number, from) in deals.iter().enumerate().step_by(7) {
        let some: Vec<_> = deals.iter().skip(number % 29).step_by(29).collect();
        for to in share(&some, number) {
            let [old, now] = [from, to].map(|deal| deal.iter().map(|list| keyed(list)).collect::<Vec<_>>());
            let before = json(&old);
            let mut sent = old.clone();
            let ops = synced(&mut sent, &now);
            assert_eq!(sent, now, "{old:?} {ops}");
            assert_eq!(applied(&before, &ops), json(&now), "{old:?} {ops}");
        }
    }
}
