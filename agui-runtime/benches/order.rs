//! The verifier's cost per event: `cargo bench -p agui-runtime --bench order`, with `-- --quick` for a short look.
//!
//! A run opens a number of messages, then adds text to one after the other, then closes them all; so every event names
//! another message than the one before. The best of several rounds counts, because other load only adds.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails by panicking")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use agui_runtime::order::{OrderStrictness, OrderVerifier};
use agui_runtime::protocol::{
    Event, RunFinishedEvent, RunStartedEvent, TextMessageContentEvent, TextMessageEndEvent,
    TextMessageStartEvent,
};

/// A run of at least `events` events with `open` messages interleaved.
fn run(open: usize, events: usize) -> Vec<Event> {
    let ids: Vec<String> = (0..open).map(|number| format!("6f1c2a9e-message-{number}")).collect();
    let mut all: Vec<Event> = vec![RunStartedEvent::new("t", "r").with_protocol_version("1.0").into()];
    all.extend(ids.iter().map(|id| TextMessageStartEvent::new(id.as_str()).into()));
    while all.len() + open < events {
        all.extend(ids.iter().map(|id| TextMessageContentEvent::new(id.as_str(), "word ").into()));
    }
    all.extend(ids.iter().map(|id| TextMessageEndEvent::new(id.as_str()).into()));
    all.push(RunFinishedEvent::new("t", "r").into());
    all
}

fn nanoseconds_per_event(strictness: OrderStrictness, events: &[Event], rounds: usize) -> f64 {
    let round = |_| {
        let begun = Instant::now();
        let verdict = OrderVerifier::with_strictness(strictness).check_all(black_box(events));
        let took = begun.elapsed();
        verdict.unwrap();
        took
    };
    let best = (0..rounds).map(round).min().unwrap_or(Duration::ZERO);
    best.as_nanos() as f64 / events.len() as f64
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (events, rounds) = if quick { (20_000, 20) } else { (40_000, 1_000) };
    println!("{:>14} {:>10} {:>10} {:>10}", "open messages", "client", "spec", "producer");
    for open in [1, 100, 10_000] {
        let run = run(open, events);
        let [client, spec, producer] =
            [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer]
                .map(|strictness| nanoseconds_per_event(strictness, &run, rounds));
        println!("{open:>14} {client:>7.1} ns {spec:>7.1} ns {producer:>7.1} ns");
    }
}
