//! Changes that are remembered: what a change and its flush take together, whatever the size of the state.

use agui_runtime::{Change, ChunkedText, Live, Shadow, State, Tracked};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goal::Goals;
use crate::timing::{Effort, median, middle, spelled};
use crate::workload::{Row, Section, row, section};

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[state(live)]
struct Book {
    version: u32,
    sections: Tracked<Vec<Section>>,
    items: Tracked<Vec<Row>>,
    log: ChunkedText,
}

fn book(sections: usize) -> Live<Book> {
    Live::new(Book {
        version: 1,
        sections: Tracked::new((0..sections).map(section).collect()),
        items: Tracked::new((0..1000).map(row).collect()),
        log: ChunkedText::new(),
    })
}

struct Turn {
    book: Live<Book>,
    shadow: Shadow<Live<Book>>,
    next: Option<Row>,
    bytes: usize,
}

impl Turn {
    fn new(sections: usize) -> Self {
        let book = book(sections);
        let (shadow, _) = Shadow::start(&book).unwrap();
        Self { book, shadow, next: None, bytes: 0 }
    }

    fn flush(&mut self) -> usize {
        self.bytes = match self.shadow.flush(&self.book).unwrap() {
            Change::Nothing => 0,
            Change::Delta(text) | Change::Snapshot(text) => text.len(),
        };
        self.bytes
    }

    /// The nanoseconds of a change with its flush.
    fn time(&mut self, effort: Effort, change: fn(&mut Self)) -> f64 {
        median((0..effort.rounds).map(|_| {
            let prepare = |turn: &mut Self| turn.next = Some(row(7));
            middle(effort.fast, self, prepare, |turn| {
                change(turn);
                turn.flush()
            })
        }))
    }
}

fn scalar(turn: &mut Turn) {
    *turn.book.edit().version += 1;
}

fn element(turn: &mut Turn) {
    turn.book.edit().sections[117].word_count += 1;
}

fn push(turn: &mut Turn) {
    if let Some(next) = turn.next.take() {
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
            turn.next = Some(row(7));
        }
        change(&mut turn);
        turn.flush();
    }
}

/// The goals about tracking: G5 and G10.
pub fn measure(effort: Effort, goals: &mut Goals) {
    println!("\na change and its flush, remembered");
    for (sections, size) in [(80, "30 kB"), (20_000, "7 MB")] {
        let sections = sections.max(120);
        let mut times = Vec::new();
        for (name, change, most) in
            [("scalar", scalar as fn(&mut Turn), 50.0), ("element", element, 80.0), ("push", push, 80.0)]
        {
            let mut turn = Turn::new(sections);
            let time = turn.time(effort, change);
            times.push(format!("{name} {} ({} B)", spelled(time), turn.bytes));
            goals.at_most("G5", format!("ns of one {name} at {size}"), time, most);
        }
        println!("{size:6} {}", times.join(", "));
    }
    for letters in [0, 10_000, 100_000] {
        let mut turn = Turn::new(120);
        turn.book.edit().log.push(&"x".repeat(letters));
        turn.flush();
        let time = turn.time(effort, token);
        println!("a token after {letters} letters: {} ({} B)", spelled(time), turn.bytes);
        goals.at_most("G10", format!("ns of a token after {letters} letters"), time, 80.0);
        goals.at_most("G10", format!("bytes of a token after {letters} letters"), turn.bytes as f64, 60.0);
    }
}
