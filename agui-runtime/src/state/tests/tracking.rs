//! Compares tracking with full comparison: the same mutations lead to the same document at the receiver.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::engine::{Marked, Members, Out, Patch, Path, Token};
use super::super::{ChunkedText, Live, Mut, Node, Shadow, State, StateChange, Tracked};
use super::{applied, json, synced};
use crate::testing::sampled::cases;

/// A receiver for a shadow's changes.
struct Client<T> {
    shadow: Shadow<T>,
    document: Value,
}

impl<T: State> Client<T> {
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
enum Step {
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

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let place = 0..20_usize;
    let step = prop_oneof![
        3 => any::<u8>().prop_map(Step::Push),
        3 => place.clone().prop_map(Step::Insert),
        3 => place.clone().prop_map(Step::Remove),
        1 => Just(Step::Pop),
        3 => (place.clone(), place.clone()).prop_map(|(from, to)| Step::Move(from, to)),
        5 => place.clone().prop_map(Step::Touch),
        1 => (8..20_usize).prop_map(Step::Truncate),
        1 => place.prop_map(Step::Coarse),
        1 => Just(Step::Replace),
        1 => Just(Step::Swap),
        4 => Just(Step::Flush),
    ];
    proptest::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_tracked_list_sends_the_document_of_a_plain_one(steps in steps(), few in 0..90_usize) {
        let mut plain = long(12);
        let mut tracked = Tracked::from(plain.clone());
        let mut client = Client::new(&tracked);
        let mut other = tracked.clone();
        // Sometimes one flush has more changes than a log records.
        let steps = steps.iter().flat_map(|step| std::iter::repeat_n(step, if few > 80 { 70 } else { 1 }));
        for step in steps {
            let last = plain.len();
            match *step {
                Step::Push(n) => { plain.push(n.to_string()); tracked.push(n.to_string()); }
                Step::Insert(at) if at <= last => { plain.insert(at, "in".into()); tracked.insert(at, "in".into()); }
                Step::Remove(at) if at < last => prop_assert_eq!(plain.remove(at), tracked.remove(at)),
                Step::Pop => prop_assert_eq!(plain.pop(), tracked.pop()),
                Step::Move(from, to) => {
                    let is_there = from < last && to < last;
                    prop_assert_eq!(tracked.relocate(from, to), is_there);
                    if is_there {
                        let element = plain.remove(from);
                        plain.insert(to, element);
                    }
                }
                Step::Touch(at) if at < last => { plain[at].push('!'); tracked[at].push('!'); }
                Step::Truncate(length) => { plain.truncate(length); tracked.truncate(length); }
                Step::Coarse(at) => {
                    for list in [&mut plain, &mut *tracked] {
                        list.retain(|element| element.len() % 7 != at % 7);
                        list.sort_unstable();
                        list.push("end".into());
                    }
                }
                Step::Replace => { plain = long(5); tracked = Tracked::from(long(5)); }
                // Another copy with its own history takes its place.
                Step::Swap => {
                    other.push("from the past".into());
                    std::mem::swap(&mut tracked, &mut other);
                    plain = tracked.to_vec();
                }
                Step::Flush => { client.flush(&tracked); prop_assert_eq!(client.flush(&tracked), ""); }
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
        let mut client = Client::new(&tracked);
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
        let mut client = Client::new(&text);
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
    let mut client = Client::new(&list);
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
    let mut client = Client::new(&text);
    text.push("token");
    let ops = client.flush(&text);
    assert_eq!(ops, r#"[{"op":"add","path":"/-","value":"token"}]"#);
}

/// The code that the derive generates for `#[state(live)]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Doc {
    title: String,
    body: Vec<String>,
    count: u32,
}

struct DocEdit<'e> {
    title: Mut<'e, String>,
    body: Mut<'e, Vec<String>>,
    count: Mut<'e, u32>,
}

impl Node for Doc {
    fn same(&self, now: &Self) -> bool {
        self == now
    }

    fn write(&self, out: &mut Out) {
        out.byte(b'{');
        self.write_members(out);
        out.byte(b'}');
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        self.sync_marked(now, u64::MAX, at, out);
    }

    fn token(&self, token: &mut Token) {
        self.title.token(token);
    }
}

impl Members for Doc {
    fn write_members(&self, out: &mut Out) {
        out.member("\"title\":");
        self.title.write(out);
        out.member("\"body\":");
        self.body.write(out);
        out.member("\"count\":");
        self.count.write(out);
    }

    fn sync_members(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        self.sync_marked(now, u64::MAX, at, out);
    }
}

impl Marked for Doc {
    type Edit<'e> = DocEdit<'e>;

    fn edit<'e>(&'e mut self, marks: &'e Cell<u64>) -> DocEdit<'e> {
        DocEdit {
            title: Mut::new(&mut self.title, marks, 0),
            body: Mut::new(&mut self.body, marks, 1),
            count: Mut::new(&mut self.count, marks, 2),
        }
    }

    fn sync_marked(&mut self, now: &Self, marks: u64, at: &Path<'_>, out: &mut Patch) {
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
        let mut live = Live::new(Doc { body: long(10), ..Doc::default() });
        let mut client = Client::new(&live);
        let mut second = Client::new(&live);
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
                5 => live = Live::new(Doc { body: long(3), ..Doc::default() }),
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
struct Watched(u32);

thread_local! {
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

impl Node for Watched {
    fn same(&self, now: &Self) -> bool {
        LOOKS.set(LOOKS.get() + 1);
        self.0 == now.0
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Room {
    still: Watched,
    count: u32,
}

impl Node for Room {
    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        self.sync_marked(now, u64::MAX, at, out);
    }
}

impl Members for Room {
    fn write_members(&self, out: &mut Out) {
        out.member("\"still\":");
        self.still.write(out);
        out.member("\"count\":");
        self.count.write(out);
    }

    fn sync_members(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        self.sync_marked(now, u64::MAX, at, out);
    }
}

impl Marked for Room {
    type Edit<'e> = Mut<'e, u32>;

    fn edit<'e>(&'e mut self, marks: &'e Cell<u64>) -> Mut<'e, u32> {
        Mut::new(&mut self.count, marks, 1)
    }

    fn sync_marked(&mut self, now: &Self, marks: u64, at: &Path<'_>, out: &mut Patch) {
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
fn looks<T: Node>(sent: &mut T, now: &T, expected: &str) -> u32 {
    LOOKS.set(0);
    assert_eq!(synced(sent, now), expected);
    LOOKS.get()
}

#[test]
fn unmarked_fields_are_not_compared() {
    let mut live = Live::new(Room::default());
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
    let mut live = Tracked::new(vec![Watched(0); 100]);
    let mut sent = live.clone();
    looks(&mut sent, &live, "[]");
    live.push(Watched(1));
    assert_eq!(looks(&mut sent, &live, r#"[{"op":"add","path":"/-","value":1}]"#), 0);
    live[50].0 = 7;
    assert_eq!(looks(&mut sent, &live, r#"[{"op":"replace","path":"/50","value":7}]"#), 1);
    let plain = live.to_vec();
    assert_eq!(looks(&mut plain.clone(), &plain, "[]"), 101, "it is counted");
}
