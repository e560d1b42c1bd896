//! Compares tracking with full comparison: the same mutations lead to the same document at the receiver.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::engine::{FlatMembers, JsonOut, MarkedState, PatchText, StatePath, ValueToken};
use super::super::{ChunkedText, Live, Mut, Shadow, State, StateChange, StateNode, Tracked};
use super::{applied, json, synced};
use crate::testing::sampled::cases;

/// A receiver for a shadow's changes.
struct ShadowClient<T> {
    shadow: Shadow<T>,
    document: Value,
}

impl<T: State> ShadowClient<T> {
    fn new(now: &T) -> Self {
        let (shadow, text) = Shadow::start(now).unwrap();
        Self { shadow, document: serde_json::from_str(&text).unwrap() }
    }

    /// Flushes, and checks that the receiver's document equals `now`.
    #[track_caller]
    fn flush(&mut self, now: &T) -> String {
        let before = self.document.clone();
        let text = match self.shadow.flush(now).unwrap() {
            StateChange::Nothing => String::new(),
            StateChange::Delta(ops) => {
                self.document = applied(&self.document, ops);
                ops.to_owned()
            }
            StateChange::Snapshot(text) => {
                self.document = serde_json::from_str(text).unwrap();
                text.to_owned()
            }
        };
        assert!(crate::json::same(&self.document, &json(now)), "{before}\n{text}\n{}", json(now));
        text
    }
}

fn long(length: usize) -> Vec<String> {
    (0..length).map(|n| format!("element {n} with a text that is long enough to matter")).collect()
}

#[derive(Debug, Clone)]
enum ListMutation {
    Push(u8),
    Insert(usize),
    Remove(usize),
    Pop,
    Move(usize, usize),
    Touch(usize),
    Truncate(usize),
    Coarse(usize),
    Replace,
    Swap,
    Flush,
}

fn steps() -> impl Strategy<Value = Vec<ListMutation>> {
    let place = 0..20_usize;
    let step = prop_oneof![
        3 => any::<u8>().prop_map(ListMutation::Push),
        3 => place.clone().prop_map(ListMutation::Insert),
        3 => place.clone().prop_map(ListMutation::Remove),
        1 => Just(ListMutation::Pop),
        3 => (place.clone(), place.clone()).prop_map(|(from, to)| ListMutation::Move(from, to)),
        5 => place.clone().prop_map(ListMutation::Touch),
        1 => (8..20_usize).prop_map(ListMutation::Truncate),
        1 => place.prop_map(ListMutation::Coarse),
        1 => Just(ListMutation::Replace),
        1 => Just(ListMutation::Swap),
        4 => Just(ListMutation::Flush),
    ];
    proptest::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_tracked_list_sends_the_document_of_a_plain_one(steps in steps(), few in 0..90_usize) {
        let mut plain = long(12);
        let mut tracked = Tracked::from(plain.clone());
        let mut client = ShadowClient::new(&tracked);
        let mut other = tracked.clone();
        // Sometimes one flush has more changes than a log records.
        let steps = steps.iter().flat_map(|step| std::iter::repeat_n(step, if few > 80 { 70 } else { 1 }));
        for step in steps {
            let last = plain.len();
            match *step {
                ListMutation::Push(n) => { plain.push(n.to_string()); tracked.push(n.to_string()); }
                ListMutation::Insert(at) if at <= last => { plain.insert(at, "in".into()); tracked.insert(at, "in".into()); }
                ListMutation::Remove(at) if at < last => prop_assert_eq!(plain.remove(at), tracked.remove(at)),
                ListMutation::Pop => prop_assert_eq!(plain.pop(), tracked.pop()),
                ListMutation::Move(from, to) => {
                    let is_there = from < last && to < last;
                    prop_assert_eq!(tracked.relocate(from, to), is_there);
                    if is_there {
                        let element = plain.remove(from);
                        plain.insert(to, element);
                    }
                }
                ListMutation::Touch(at) if at < last => { plain[at].push('!'); tracked[at].push('!'); }
                ListMutation::Truncate(length) => { plain.truncate(length); tracked.truncate(length); }
                ListMutation::Coarse(at) => {
                    for list in [&mut plain, &mut *tracked] {
                        list.retain(|element| element.len() % 7 != at % 7);
                        list.sort_unstable();
                        list.push("end".into());
                    }
                }
                ListMutation::Replace => { plain = long(5); tracked = Tracked::from(long(5)); }
                // Another copy with its own history takes its place.
                ListMutation::Swap => {
                    other.push("from the past".into());
                    std::mem::swap(&mut tracked, &mut other);
                    plain = tracked.to_vec();
                }
                ListMutation::Flush => { client.flush(&tracked); prop_assert_eq!(client.flush(&tracked), ""); }
                _ => {}
            }
            prop_assert_eq!(&*tracked, &plain);
        }
        client.flush(&tracked);
    }

    #[test]
    fn a_tracked_map_sends_the_document_of_a_plain_one(steps in proptest::collection::vec((0..6_u8, 0..30_u32), 0..80)) {
        let mut tracked: Tracked<BTreeMap<u32, String>> = Tracked::default();
        for n in 0..15 {
            tracked.insert(n, format!("member {n} with a text that is long enough"));
        }
        let mut client = ShadowClient::new(&tracked);
        for (step, key) in steps {
            match step {
                0 => drop(tracked.insert(key, "new".into())),
                1 => drop(tracked.remove(&key)),
                2 => tracked.get_mut(&key).into_iter().for_each(|value| value.push('!')),
                3 => tracked.get_or_insert_with(key, String::new).push('?'),
                4 => drop(client.flush(&tracked)),
                _ => tracked.values_mut().for_each(|value| value.push('.')),
            }
        }
        client.flush(&tracked);
    }

    #[test]
    fn a_text_in_pieces_is_received_whole(steps in proptest::collection::vec((0..12_u8, "[a-z\"]{0,3}"), 0..60)) {
        let mut text = ChunkedText::from("a beginning that is long enough for deltas to be worth their while");
        let mut client = ShadowClient::new(&text);
        let mut past = text.clone();
        for (step, piece) in steps {
            match step {
                0 => text.clear(),
                1 => std::mem::swap(&mut text, &mut past),
                2..=4 => drop(client.flush(&text)),
                _ => text.push(&piece),
            }
            prop_assert_eq!(text.pieces().collect::<String>(), text.as_str());
        }
        client.flush(&text);
        let read: ChunkedText = serde_json::from_value(json(&text)).unwrap();
        prop_assert_eq!(read, text);
    }
}

#[test]
fn several_structural_operations_in_one_flush() {
    let mut list = Tracked::from(long(40));
    let mut client = ShadowClient::new(&list);
    list.remove(30);
    list.insert(2, "new".into());
    list.relocate(20, 3);
    list[2].push('!');
    list[10].push('?');
    assert_eq!(
        client.flush(&list),
        concat!(
            r#"[{"op":"remove","path":"/30"},{"op":"add","path":"/2","value":"new!"},"#,
            r#"{"op":"move","from":"/20","path":"/3"},"#,
            r#"{"op":"replace","path":"/10","value":"element 8 with a text that is long enough to matter?"}]"#
        )
    );
}

#[test]
fn a_token_is_one_small_operation_for_a_text_of_any_length() {
    let mut text = ChunkedText::from("x".repeat(100_000));
    let mut client = ShadowClient::new(&text);
    text.push("token");
    let ops = client.flush(&text);
    assert_eq!(ops, r#"[{"op":"add","path":"/-","value":"token"}]"#);
}

/// The code that the derive generates for `#[state(live)]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct LiveDoc {
    title: String,
    body: Vec<String>,
    count: u32,
}

struct DocEdit<'e> {
    title: Mut<'e, String>,
    body: Mut<'e, Vec<String>>,
    count: Mut<'e, u32>,
}

impl StateNode for LiveDoc {
    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn write(&self, out: &mut JsonOut) {
        out.byte(b'{');
        self.write_members(out);
        out.byte(b'}');
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        self.sync_marked(now, u64::MAX, at, out);
    }

    fn token(&self, token: &mut ValueToken) {
        self.title.token(token);
    }
}

impl FlatMembers for LiveDoc {
    fn write_members(&self, out: &mut JsonOut) {
        out.member("\"title\":");
        self.title.write(out);
        out.member("\"body\":");
        self.body.write(out);
        out.member("\"count\":");
        self.count.write(out);
    }

    fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        self.sync_marked(now, u64::MAX, at, out);
    }
}

impl MarkedState for LiveDoc {
    type Edit<'e> = DocEdit<'e>;

    fn edit<'e>(&'e mut self, marks: &'e Cell<u64>) -> DocEdit<'e> {
        DocEdit {
            title: Mut::new(&mut self.title, marks, 0),
            body: Mut::new(&mut self.body, marks, 1),
            count: Mut::new(&mut self.count, marks, 2),
        }
    }

    fn sync_marked(&mut self, now: &Self, marks: u64, at: &StatePath<'_>, out: &mut PatchText) {
        let mark = out.mark();
        if marks & 1 != 0 {
            self.title.sync(&now.title, &at.lit("/title"), out);
        }
        if marks & 2 != 0 {
            self.body.sync(&now.body, &at.lit("/body"), out);
        }
        if marks & 4 != 0 {
            self.count.sync(&now.count, &at.lit("/count"), out);
        }
        out.settle(mark, at, now);
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn dirty_bits_send_the_document_of_a_comparison(steps in proptest::collection::vec(0..8_u8, 0..60)) {
        let mut live = Live::new(LiveDoc { body: long(10), ..LiveDoc::default() });
        let mut client = ShadowClient::new(&live);
        let mut second = ShadowClient::new(&live);
        let mut past = live.clone();
        for step in steps {
            match step {
                0 => live.edit().title.push('!'),
                1 => {
                    let mut edit = live.edit();
                    edit.body.push("more".into());
                    *edit.count += 1;
                }
                2 => *live.edit().count += 1,
                3 => live.body.reverse(),
                4 => std::mem::swap(&mut live, &mut past),
                5 => live = Live::new(LiveDoc { body: long(3), ..LiveDoc::default() }),
                6 => drop(second.flush(&live)),
                _ => drop(client.flush(&live)),
            }
        }
        client.flush(&live);
        second.flush(&live);
    }
}

/// A value that counts comparisons.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
struct CountedValue(u32);

thread_local! {
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

impl StateNode for CountedValue {
    fn same(&self, now: &Self) -> bool {
        LOOKS.set(LOOKS.get() + 1);
        self.0 == now.0
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
struct CountedRoom {
    still: CountedValue,
    count: u32,
}

impl StateNode for CountedRoom {
    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        self.sync_marked(now, u64::MAX, at, out);
    }
}

impl FlatMembers for CountedRoom {
    fn write_members(&self, out: &mut JsonOut) {
        out.member("\"still\":");
        self.still.write(out);
        out.member("\"count\":");
        self.count.write(out);
    }

    fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        self.sync_marked(now, u64::MAX, at, out);
    }
}

impl MarkedState for CountedRoom {
    type Edit<'e> = Mut<'e, u32>;

    fn edit<'e>(&'e mut self, marks: &'e Cell<u64>) -> Mut<'e, u32> {
        Mut::new(&mut self.count, marks, 1)
    }

    fn sync_marked(&mut self, now: &Self, marks: u64, at: &StatePath<'_>, out: &mut PatchText) {
        if marks & 1 != 0 {
            self.still.sync(&now.still, &at.lit("/still"), out);
        }
        if marks & 2 != 0 {
            self.count.sync(&now.count, &at.lit("/count"), out);
        }
    }
}

/// Returns the number of comparisons needed to find the operations, after checking the operations.
#[track_caller]
fn looks<T: StateNode>(sent: &mut T, now: &T, expected: &str) -> u32 {
    LOOKS.set(0);
    assert_eq!(synced(sent, now), expected);
    LOOKS.get()
}

#[test]
fn unmarked_fields_are_not_compared() {
    let mut live = Live::new(CountedRoom::default());
    let mut sent = live.clone();
    looks(&mut sent, &live, "[]");
    *live.edit() += 1;
    assert_eq!(looks(&mut sent, &live, r#"[{"op":"add","path":"/count","value":1}]"#), 0);
    assert_eq!(looks(&mut sent, &live, "[]"), 0);
    let mut fresh = sent.clone().into_inner();
    assert_eq!(looks(&mut fresh, &live, "[]"), 1, "it is counted");
}

#[test]
fn elements_that_were_not_borrowed_are_not_compared() {
    let mut live = Tracked::new(vec![CountedValue(0); 100]);
    let mut sent = live.clone();
    looks(&mut sent, &live, "[]");
    live.push(CountedValue(1));
    assert_eq!(looks(&mut sent, &live, r#"[{"op":"add","path":"/-","value":1}]"#), 0);
    live[50].0 = 7;
    assert_eq!(looks(&mut sent, &live, r#"[{"op":"replace","path":"/50","value":7}]"#), 1);
    let plain = live.to_vec();
    assert_eq!(looks(&mut plain.clone(), &plain, "[]"), 101, "it is counted");
}
