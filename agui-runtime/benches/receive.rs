//! The cost of reading: `cargo bench -p agui-runtime --bench receive`, with `-- --quick` for a short look.
//!
//! First frames: from a text, or its protobuf message, to a typed event, enforcement included. Beside it the same by
//! way of a JSON value (the cost of every frame without the fast reader), serde alone (without enforcement: unknown
//! members are lost silently), crate `ag-ui` (the same) and a lower bound: the two strings of a text delta, owned.
//!
//! Then whole bodies, from the bytes of a connection: to events that are validated, enforced, expanded and in order;
//! and to messages and state. Beside it crate `ag-ui`'s client, the official one if Node is there, and a lower bound:
//! the records found and owned.
//!
//! A missed ratio makes it fail; nanoseconds depend on the machine, and are printed beside the lower bound. `encode`
//! counts the allocations of reading, so that nothing is counted here during the timing.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark prints and panics"
)]

mod bodies;
mod frames;
#[allow(dead_code, reason = "each benchmark has goals of some kinds")]
mod goal;
#[allow(dead_code, reason = "each benchmark looks at some of it")]
mod typescript;

use agui_runtime::protocol::Event;
use agui_runtime::receive::FrameIntake;
use agui_runtime::wire::proto;
use serde_json::Value;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use goal::Goals;

/// The same frames on both transports.
struct Frames {
    texts: Vec<String>,
    messages: Vec<Vec<u8>>,
}

impl Frames {
    fn of(texts: Vec<String>) -> Self {
        let message = |text: &String| {
            let event: Event = serde_json::from_str(text).unwrap();
            let mut frame = Vec::new();
            proto::encode(&event, &mut frame).unwrap();
            frame.split_off(4)
        };
        Self { messages: texts.iter().map(message).collect(), texts }
    }
}

/// A way to read all frames; returns the number of events.
type Reader = (&'static str, Box<dyn FnMut(&Frames) -> usize>);

const FAST: usize = 0;
const PROTO: usize = 1;
const CAREFUL: usize = 2;
const PEER: usize = 5;
const FLOOR: usize = 6;

fn readers() -> Vec<Reader> {
    let (mut fast, mut binary, mut careful) = (FrameIntake::new(), FrameIntake::new(), FrameIntake::new());
    vec![
        (
            "typed, enforced",
            Box::new(move |frames| {
                let mut read = |frame: &String| black_box(fast.text(frame, &mut |_| {})).unwrap().is_some();
                frames.texts.iter().filter(|frame| read(frame)).count()
            }),
        ),
        (
            "protobuf, typed, enforced",
            Box::new(move |frames| {
                let mut read =
                    |frame: &Vec<u8>| black_box(binary.proto(frame, &mut |_| {})).unwrap().is_some();
                frames.messages.iter().filter(|frame| read(frame)).count()
            }),
        ),
        (
            "typed, enforced, by way of a value",
            Box::new(move |frames| {
                let mut read =
                    |frame: &String| careful.value(serde_json::from_str(frame).unwrap(), &mut |_| {});
                frames.texts.iter().filter(|frame| black_box(read(frame)).unwrap().is_some()).count()
            }),
        ),
        (
            "serde, typed, not enforced",
            Box::new(|frames| {
                frames
                    .texts
                    .iter()
                    .filter(|frame| black_box(serde_json::from_str::<Event>(frame)).is_ok())
                    .count()
            }),
        ),
        (
            "serde, a value",
            Box::new(|frames| {
                frames
                    .texts
                    .iter()
                    .filter(|frame| black_box(serde_json::from_str::<Value>(frame)).is_ok())
                    .count()
            }),
        ),
        (
            "crate ag-ui, typed, not enforced",
            Box::new(|frames| {
                let read = |frame: &String| black_box(serde_json::from_str::<ag_ui::Event>(frame)).is_ok();
                frames.texts.iter().filter(|frame| read(frame)).count()
            }),
        ),
        (
            "floor: two owned strings (text deltas)",
            Box::new(|frames| frames.texts.iter().filter(|frame| black_box(floor(frame)).is_some()).count()),
        ),
    ]
}

/// Knows the places of the quotes because it knows the text between them.
fn floor(frame: &str) -> Option<(String, String)> {
    let (_, rest) = frame.split_once(r#""messageId":""#)?;
    let (id, rest) = rest.split_once('"')?;
    let (_, rest) = rest.split_once(r#""delta":""#)?;
    let (delta, _) = rest.rsplit_once('"')?;
    Some((id.to_owned(), delta.to_owned()))
}

/// The best time per event of each reader, round by round in turn: other load only adds.
fn race(name: &str, frames: &Frames, rounds: usize) -> Vec<f64> {
    let bytes: usize = frames.texts.iter().map(String::len).sum();
    println!("\n{name}: {} frames of {} bytes", frames.texts.len(), bytes / frames.texts.len());
    let mut readers = readers();
    let mut best = vec![f64::INFINITY; readers.len()];
    for _ in 0..rounds {
        for ((_, reader), best) in readers.iter_mut().zip(&mut best) {
            let begun = Instant::now();
            let events = reader(frames);
            *best = best.min(begun.elapsed().as_nanos() as f64 / events as f64);
        }
    }
    for ((reader, _), time) in readers.iter().zip(&best) {
        println!("  {reader:<42} {time:>8.1} ns  {:>6.2} times ours", time / best[FAST]);
    }
    best
}

/// Runs one way alone, for counters outside: `--only fast|proto|careful|serde|value|peer|floor text|mixed`, or
/// `--only validated|folded|validated-proto|folded-proto`.
fn only(which: &str, corpus: Option<&String>) {
    let text = corpus.is_some_and(|corpus| corpus == "text");
    let texts = if text { frames::text(2_000) } else { frames::mixed(2_000) };
    let frames = Frames::of(texts);
    let times = 50;
    if let Some(index) = bodies::NAMES.iter().position(|name| *name == which) {
        let bodies = bodies::Bodies::of(&frames.texts, &frames.messages);
        let read: usize = (0..times).map(|_| (bodies::READERS[index].1)(&bodies)).sum();
        println!("{which}: {read} events");
        return;
    }
    let names = ["fast", "proto", "careful", "serde", "value", "peer", "floor"];
    let index = names.iter().position(|name| *name == which).unwrap();
    let (name, reader) = &mut readers()[index];
    let read: usize = (0..times).map(|_| reader(&frames)).sum();
    println!("{name}: {read} of {} events", times * frames.texts.len());
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        only(&arguments[at + 1], arguments.get(at + 2));
        return ExitCode::SUCCESS;
    }
    let rounds = if arguments.iter().any(|argument| argument == "--quick") { 50 } else { 500 };
    let (text, mixed) = (Frames::of(frames::text(2_000)), Frames::of(frames::mixed(2_000)));
    let typescript = typescript::measure(&mixed.texts);

    let (on_text, on_mix) = (race("text", &text, rounds), race("mixed", &mixed, rounds));
    let bodies = bodies::Bodies::of(&mixed.texts, &mixed.messages);
    let whole = bodies::race(&bodies, rounds);

    let mut goals = Goals::default();
    let beside = ("two owned strings", on_text[FLOOR]);
    goals.time("5.p", "text to an enforced event", on_text[FAST], 45.0, beside);
    goals.time("5.p", "mixed to enforced events", on_mix[FAST], 110.0, beside);
    // The goals as ratios to the peer's times on that machine: 204 ns and 319 ns, and 78 us to read a stream.
    goals.at_least("5.p", "crate ag-ui / ours, text", on_text[PEER] / on_text[FAST], 4.5);
    goals.at_least("5.p", "crate ag-ui / ours, mixed", on_mix[PEER] / on_mix[FAST], 2.9);
    goals.at_least("5.p", "by way of a value / ours, mixed", on_mix[CAREFUL] / on_mix[FAST], 3.0);
    // There is no goal for reading the binary transport.
    let (text_ratio, mixed_ratio) = (on_text[PROTO] / on_text[FAST], on_mix[PROTO] / on_mix[FAST]);
    println!("\nprotobuf / text: {text_ratio:.2} on text, {mixed_ratio:.2} mixed");
    if let Some(official) = &typescript {
        let times = official.decode / on_mix[PROTO];
        println!("protobuf, TypeScript's {} ns / ours: {times:.1}, mixed", official.decode);
    }
    bodies::judge(&whole, typescript.as_ref(), &mut goals);
    goals.print();
    if goals.has_missed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
