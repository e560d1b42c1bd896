//! Changes that are remembered: what a change and its flush take together, whatever the size of the state.

use std::hint::black_box;

use agui_runtime::{Change, ChunkedText, Live, Shadow, State, Tracked};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goal::Goals;
use crate::timing::{Effort, median, middle, spelled};
use crate::workload::{Row, Section, row, section};

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[state(live)]
pub struct Book {
    pub version: u32,
    sections: Tracked<Vec<Section>>,
    items: Tracked<Vec<Row>>,
    log: ChunkedText,
}

pub fn book(sections: usize) -> Live<Book> {
    Live::new(Book {
        version: 1,
        sections: Tracked::new((0..sections).map(section).collect()),
        items: Tracked::new((0..1000).map(row).collect()),
        log: ChunkedText::new(),
    })
}

const IN_A_ROW: usize = 40;

struct Turn {
    book: Live<Book>,
    shadow: Shadow<Live<Book>>,
    next: Vec<Row>,
    bytes: usize,
}

impl Turn {
    fn new(sections: usize) -> Self {
        let book = book(sections);
        let (shadow, _) = Shadow::start(&book).unwrap();
        Self { book, shadow, next: Vec::new(), bytes: 0 }
    }

    fn flush(&mut self) -> usize {
        self.bytes = match self.shadow.flush(&self.book).unwrap() {
            Change::Nothing => 0,
            Change::Delta(text) | Change::Snapshot(text) => text.len(),
        };
        self.bytes
    }

    /// The nanoseconds of a change with its flush: of many in a row, since one is shorter than asking for the time.
    fn time(&mut self, effort: Effort, change: fn(&mut Self)) -> f64 {
        let prepare = |turn: &mut Self| turn.next = vec![row(7); IN_A_ROW];
        let run = |turn: &mut Self| {
            for _ in 0..IN_A_ROW {
                change(turn);
                turn.flush();
            }
            turn.bytes
        };
        let times = effort.fast.div_ceil(IN_A_ROW);
        median((0..effort.rounds).map(|_| middle(times, self, prepare, run))) / IN_A_ROW as f64
    }
}

fn scalar(turn: &mut Turn) {
    *turn.book.edit().version += 1;
}

fn element(turn: &mut Turn) {
    turn.book.edit().sections[117].word_count += 1;
}

fn push(turn: &mut Turn) {
    if let Some(next) = turn.next.pop() {
        turn.book.edit().items.push(next);
    }
}

fn token(turn: &mut Turn) {
    turn.book.edit().log.push("token");
}

/// One change and its flush, so often.
pub fn repeat(name: &str, times: usize) {
    let change: fn(&mut Turn) = match name {
        "scalar" => scalar,
        "element" => element,
        "push" => push,
        "token" => token,
        _ => return,
    };
    let mut turn = Turn::new(120);
    for _ in 0..times {
        if name == "push" {
            turn.next.push(row(7));
        }
        change(&mut turn);
        turn.flush();
    }
}

/// The least that a change takes: the same bytes put together by hand in a buffer that is there already, and for a push
/// the copy that the receiver's side of it has.
struct ByHand {
    text: String,
    number: u32,
    old: Section,
    now: Section,
    rows: Vec<Row>,
    copies: Vec<Row>,
    next: Vec<Row>,
}

impl ByHand {
    fn new() -> Self {
        let (old, now) = (section(117), section(117));
        let [rows, copies, next] = [Vec::new(), Vec::new(), Vec::new()];
        Self { text: String::new(), number: 1000, old, now, rows, copies, next }
    }

    fn time(&mut self, effort: Effort, write: fn(&mut Self)) -> f64 {
        let prepare = |hand: &mut Self| hand.next = vec![row(7); IN_A_ROW];
        let run = |hand: &mut Self| {
            for _ in 0..IN_A_ROW {
                hand.text.clear();
                write(black_box(hand));
            }
            hand.text.len()
        };
        let times = effort.fast.div_ceil(IN_A_ROW);
        median((0..effort.rounds).map(|_| middle(times, self, prepare, run))) / IN_A_ROW as f64
    }

    fn number(&mut self) {
        self.number += 1;
        self.text.push_str(itoa::Buffer::new().format(self.number));
    }

    fn scalar(&mut self) {
        self.text.push_str(r#"[{"op":"add","path":"/version","value":"#);
        self.number();
        self.text.push_str("}]");
    }

    fn element(&mut self) {
        assert!(black_box(&self.old) == black_box(&self.now));
        self.text.push_str(r#"[{"op":"add","path":"/sections/117/wordCount","value":"#);
        self.number();
        self.text.push_str("}]");
    }

    fn push(&mut self) {
        let Some(next) = self.next.pop() else { return };
        self.text.push_str(r#"[{"op":"add","path":"/items/-","value":{"id":"#);
        self.text.push_str(itoa::Buffer::new().format(next.id));
        self.text.push_str(r#","title":""#);
        self.text.push_str(&next.title);
        self.text.push_str(r#"","done":false,"note":null}}]"#);
        self.copies.push(next.clone());
        self.rows.push(next);
    }

    fn token(&mut self) {
        self.text.push_str(r#"[{"op":"add","path":"/log/-","value":""#);
        self.text.push_str(black_box("token"));
        self.text.push_str(r#""}]"#);
    }
}

/// The goals about tracking: G5 and G10. Their nanoseconds are of one machine; `machine` says how much slower this one
/// is at what was measured on both.
pub fn measure(effort: Effort, machine: f64, goals: &mut Goals) {
    println!(
        "\na change and its flush, remembered; this machine takes {machine:.2} times as long as that of the goals"
    );
    let mut by_hand = ByHand::new();
    for (sections, size) in [(120, "30 kB"), (20_000, "7 MB")] {
        for (name, change, write, most) in [
            ("scalar", scalar as fn(&mut Turn), ByHand::scalar as fn(&mut ByHand), 50.0),
            ("element", element, ByHand::element, 80.0),
            ("push", push, ByHand::push, 80.0),
        ] {
            let mut turn = Turn::new(sections);
            let (time, least) = (turn.time(effort, change), by_hand.time(effort, write));
            println!(
                "{size:6} {name:8} {} ({} B), {:.1} times what it takes by hand, {}",
                spelled(time),
                turn.bytes,
                time / least,
                spelled(least)
            );
            goals.at_most("G5", format!("ns of one {name} at {size}, on that machine"), time / machine, most);
        }
    }
    let least = by_hand.time(effort, ByHand::token);
    for letters in [0, 10_000, 100_000] {
        let mut turn = Turn::new(120);
        turn.book.edit().log.push(&"x".repeat(letters));
        turn.flush();
        let time = turn.time(effort, token);
        println!(
            "a token after {letters} letters: {} ({} B), {:.1} times what it takes by hand, {}",
            spelled(time),
            turn.bytes,
            time / least,
            spelled(least)
        );
        let what = format!("ns of a token after {letters} letters, on that machine");
        goals.at_most("G10", what, time / machine, 80.0);
        goals.exactly("G10", format!("bytes of a token after {letters} letters"), &turn.bytes, &45);
    }
}
