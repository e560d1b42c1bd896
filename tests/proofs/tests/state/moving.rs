//! The operations where elements change their list.

use agui_proofs::zoo::{Branch, Card, Column, Desk, Row};
use serde_json::{Value, json};

use super::ops;

fn card(id: u8) -> Card {
    Card { card_id: id, title: format!("a card with the number {id}"), ..Card::default() }
}

fn desk(columns: &[&[u8]]) -> Desk {
    let column = |(name, ids): (usize, &&[u8])| Column {
        name: u8::try_from(name).unwrap(),
        cards: ids.iter().copied().map(card).collect(),
    };
    Desk { columns: columns.iter().enumerate().map(column).collect(), ..Desk::default() }
}

fn moved(from: &str, path: &str) -> Value {
    json!({ "op": "move", "from": from, "path": path })
}

#[test]
fn a_card_goes_to_another_column() {
    let old = desk(&[&[1, 2, 3], &[4], &[]]);
    assert_eq!(
        ops(&old, &desk(&[&[1, 3], &[4], &[2]])),
        json!([moved("/columns/0/cards/1", "/columns/2/cards/0")])
    );
    assert_eq!(
        ops(&old, &desk(&[&[4, 1, 2, 3], &[], &[]])),
        json!([moved("/columns/1/cards/0", "/columns/0/cards/0")])
    );
}

#[test]
fn a_card_goes_and_changes_and_its_column_goes_too() {
    let old = desk(&[&[1, 2, 3], &[4], &[]]);
    let mut now = desk(&[&[1, 3], &[4], &[2]]);
    now.columns[2].cards[0].note = Some("late".to_owned());
    let edit = json!({ "op": "add", "path": "/columns/2/cards/0/note", "value": "late" });
    assert_eq!(ops(&old, &now), json!([moved("/columns/0/cards/1", "/columns/2/cards/0"), edit]));

    now.columns.swap(0, 2);
    let edit = json!({ "op": "add", "path": "/columns/0/cards/0/note", "value": "late" });
    assert_eq!(
        ops(&old, &now),
        json!([
            moved("/columns/1", "/columns/2"),
            moved("/columns/0", "/columns/2"),
            moved("/columns/2/cards/1", "/columns/0/cards/0"),
            edit
        ])
    );
}

#[test]
fn several_cards_go_at_once() {
    let old = desk(&[&[1, 2, 3, 4], &[5, 6], &[]]);
    assert_eq!(
        ops(&old, &desk(&[&[6, 4], &[3, 5], &[2, 1]])),
        json!([
            moved("/columns/1/cards/1", "/columns/0/cards/0"),
            moved("/columns/0/cards/3", "/columns/1/cards/0"),
            moved("/columns/0/cards/2", "/columns/2/cards/0"),
            moved("/columns/0/cards/1", "/columns/2/cards/1"),
        ])
    );
}

#[test]
fn cards_go_between_maps_queues_and_columns() {
    let mut old = desk(&[&[1, 2]]);
    old.by_status = [("to do".to_owned(), vec![card(3)]), ("done".to_owned(), vec![card(4)])].into();
    old.inbox = [card(5), card(6)].into();
    let mut now = old.clone();
    let first = now.columns[0].cards.remove(0);
    now.by_status.get_mut("done").unwrap().push(first);
    let last = now.inbox.pop_back().unwrap();
    now.by_status.get_mut("to do").unwrap().insert(0, last);
    assert_eq!(
        ops(&old, &now),
        json!([moved("/columns/0/cards/0", "/byStatus/done/1"), moved("/inbox/1", "/byStatus/to do/0"),])
    );
}

#[test]
fn lists_whose_owner_names_the_key_exchange_elements() {
    let row = |id: u8| Row { id, title: format!("a row with the number {id}"), ..Row::default() };
    let rows = |one: &[u8], other: &[u8]| Desk {
        rows: one.iter().copied().map(row).collect(),
        other_rows: Some(other.iter().copied().map(row).collect()),
        ..Desk::default()
    };
    assert_eq!(ops(&rows(&[1, 2], &[3]), &rows(&[2], &[3, 1])), json!([moved("/rows/0", "/otherRows/1")]));
}

#[test]
fn a_branch_moves_up_and_down_in_its_tree() {
    let branch = |id: u8, branches: Vec<Branch>| Branch { id, title: format!("a branch: {id}"), branches };
    let old = branch(0, vec![branch(1, vec![branch(2, Vec::new())]), branch(3, Vec::new())]);
    let up = branch(0, vec![branch(2, Vec::new()), branch(1, Vec::new()), branch(3, Vec::new())]);
    assert_eq!(ops(&old, &up), json!([moved("/branches/0/branches/0", "/branches/0")]));
    let down = branch(0, vec![branch(1, vec![branch(2, Vec::new()), branch(3, Vec::new())])]);
    assert_eq!(ops(&old, &down), json!([moved("/branches/1", "/branches/0/branches/1")]));
    // The removal would shift the new owner: clients refuse such a move.
    let owner = branch(0, vec![branch(3, vec![branch(1, vec![branch(2, Vec::new())])])]);
    let said = ops(&old, &owner);
    assert!(!said.to_string().contains("\"move\""), "{said}");
}
