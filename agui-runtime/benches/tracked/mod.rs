//! Recorded changes: the time of a change and its flush together, for any size of the state.

use std::hint::black_box;

use agui_runtime::State;
use agui_runtime::state::{ChunkedText, Live, Shadow, StateChange, Tracked};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goal::Goals;
use crate::machine::Yardstick;
use crate::timing::{Effort, median, middle, spelled};
use crate::workload::{Row as Item, Section, row, section};

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[state(live)]
pub struct Book {
    pub version: u32,
    sections: Tracked<Vec<Section>>,
    items: Tracked<Vec<Item>>,
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
    next: Vec<Item>,
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
            StateChange::Nothing => 0,
            StateChange::Delta(text) | StateChange::Snapshot(text) => text.len(),
        };
        self.bytes
    }

    /// The nanoseconds of a change with its flush in one round: of many in a row, because one is shorter than reading
    /// the clock.
    fn time(&mut self, effort: Effort, change: fn(&mut Self)) -> f64 {
        let prepare = |turn: &mut Self| turn.next = vec![row(7); IN_A_ROW];
        let run = |turn: &mut Self| {
            for _ in 0..IN_A_ROW {
                change(turn);
                turn.flush();
            }
            turn.bytes
        };
        middle(effort.fast.div_ceil(IN_A_ROW), self, prepare, run) / IN_A_ROW as f64
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

/// One change and its flush, repeated.
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

/// A lower bound of a change: the same bytes put together by hand in an existing buffer, and for a push the copy on the
/// receiver's side.
struct ByHand {
    text: String,
    number: u32,
    old: Section,
    now: Section,
    rows: Vec<Item>,
    copies: Vec<Item>,
    next: Vec<Item>,
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
        middle(effort.fast.div_ceil(IN_A_ROW), self, prepare, run) / IN_A_ROW as f64
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

/// One kind of change, and its time round by round.
struct Row {
    name: String,
    goal: (&'static str, f64),
    turn: Turn,
    change: fn(&mut Turn),
    by_hand: fn(&mut ByHand),
    /// Nanoseconds, the same by hand, and the factor of the machine.
    rounds: Vec<[f64; 3]>,
}

impl Row {
    fn of(
        name: String,
        goal: (&'static str, f64),
        turn: Turn,
        change: fn(&mut Turn),
        by_hand: fn(&mut ByHand),
    ) -> Self {
        Self { name, goal, turn, change, by_hand, rounds: Vec::new() }
    }

    fn middle(&self, of: impl Fn(&[f64; 3]) -> f64) -> f64 {
        median(self.rounds.iter().map(of))
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (sections, size) in [(120, "30 kB"), (20_000, "7 MB")] {
        for (name, change, by_hand, most) in [
            ("scalar", scalar as fn(&mut Turn), ByHand::scalar as fn(&mut ByHand), 50.0),
            ("element", element, ByHand::element, 80.0),
            ("push", push, ByHand::push, 80.0),
        ] {
            let (name, turn) = (format!("one {name} at {size}"), Turn::new(sections));
            rows.push(Row::of(name, ("G5", most), turn, change, by_hand));
        }
    }
    for letters in [0, 10_000, 100_000] {
        let mut turn = Turn::new(120);
        turn.book.edit().log.push(&"x".repeat(letters));
        turn.flush();
        let name = format!("a token after {letters} letters");
        rows.push(Row::of(name, ("G10", 80.0), turn, token, ByHand::token));
    }
    rows
}

/// The goals about tracking: G5 and G10. Their nanoseconds are for the machine of the goals.
pub fn measure(effort: Effort, goals: &mut Goals) {
    let (mut rows, mut by_hand, mut yardstick) = (rows(), ByHand::new(), Yardstick::new());
    for _ in 0..effort.rounds {
        for row in &mut rows {
            let machine = yardstick.read(effort);
            row.rounds.push([row.turn.time(effort, row.change), by_hand.time(effort, row.by_hand), machine]);
        }
    }
    println!("\na change and its flush, remembered");
    for row in &rows {
        let [time, least, machine] = [0, 1, 2].map(|part| row.middle(|round| round[part]));
        println!(
            "{:28} {} ({} B), {:.1} times what it takes by hand, {}; this machine takes {machine:.2} times as long",
            row.name,
            spelled(time),
            row.turn.bytes,
            row.middle(|[time, least, _]| time / least),
            spelled(least),
        );
        let (goal, most) = row.goal;
        let time = row.middle(|[time, _, machine]| time / machine);
        goals.at_most(goal, format!("ns of {}, on that machine", row.name), time, most);
        if goal == "G10" {
            goals.exactly(goal, format!("bytes of {}", row.name), &row.turn.bytes, &46);
        }
    }
}
