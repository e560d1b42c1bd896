//! What reading a frame costs: `cargo bench -p agui-runtime --bench receive`, with `-- --quick` for a short look.
//!
//! From the text of a frame to a typed event, enforcement included, beside the same by way of a JSON value (which is what every frame
//! would cost without the fast way), by serde alone (no enforcement: what is unknown is lost silently), and beside what cannot be
//! gone below: the two strings of a text delta, owned.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark prints and panics"
)]

mod frames;
#[allow(dead_code, reason = "each benchmark has goals of some kinds")]
mod goal;

use agui_runtime::protocol::Event;
use agui_runtime::receive::Intake;
use serde_json::Value;

use std::process::ExitCode;
use std::time::Instant;

use goal::Goals;

/// A way to read all frames; gives how many events there were.
type Reader<'a> = (&'a str, Box<dyn FnMut(&[String]) -> usize>);

fn readers() -> Vec<Reader<'static>> {
    let mut fast = Intake::new();
    let mut careful = Intake::new();
    vec![
        (
            "typed, enforced",
            Box::new(move |frames| {
                frames
                    .iter()
                    .filter(|frame| std::hint::black_box(fast.text(frame, &mut |_| {})).unwrap().is_some())
                    .count()
            }),
        ),
        (
            "typed, enforced, by way of a value",
            Box::new(move |frames| {
                let mut read =
                    |frame: &String| careful.value(serde_json::from_str(frame).unwrap(), &mut |_| {});
                frames.iter().filter(|frame| std::hint::black_box(read(frame)).unwrap().is_some()).count()
            }),
        ),
        (
            "serde, typed, not enforced",
            Box::new(|frames| {
                frames
                    .iter()
                    .filter(|frame| std::hint::black_box(serde_json::from_str::<Event>(frame)).is_ok())
                    .count()
            }),
        ),
        (
            "serde, a value",
            Box::new(|frames| {
                frames
                    .iter()
                    .filter(|frame| std::hint::black_box(serde_json::from_str::<Value>(frame)).is_ok())
                    .count()
            }),
        ),
        (
            "floor: two owned strings",
            Box::new(|frames| {
                frames.iter().filter(|frame| std::hint::black_box(floor(frame)).is_some()).count()
            }),
        ),
    ]
}

/// Knows where the quotes are because it knows what stands between them.
fn floor(frame: &str) -> Option<(String, String)> {
    let (_, rest) = frame.split_once(r#""messageId":""#)?;
    let (id, rest) = rest.split_once('"')?;
    let (_, rest) = rest.split_once(r#""delta":""#)?;
    let (delta, _) = rest.rsplit_once('"')?;
    Some((id.to_owned(), delta.to_owned()))
}

/// The best time per event of each reader, round by round in turn: whatever else the machine does only adds.
fn race(name: &str, frames: &[String], rounds: usize) -> Vec<f64> {
    let bytes: usize = frames.iter().map(String::len).sum();
    println!("\n{name}: {} frames of {} bytes", frames.len(), bytes / frames.len());
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
        println!("  {reader:<40} {time:>8.1} ns  {:>6.2} times the floor", time / best[4]);
    }
    best
}

/// Runs one way alone, for counters outside: `--only fast|careful|serde text|mixed`.
fn only(which: &str, corpus: &str) {
    let frames = if corpus == "text" { frames::text(2_000) } else { frames::mixed(2_000) };
    let index = match which {
        "fast" => 0,
        "careful" => 1,
        "serde" => 2,
        "value" => 3,
        _ => 4,
    };
    let (name, reader) = &mut readers()[index];
    let times = 500;
    let read: usize = (0..times).map(|_| reader(&frames)).sum();
    println!("{name}, {corpus}: {read} of {} events", times * frames.len());
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        only(&arguments[at + 1], &arguments[at + 2]);
        return ExitCode::SUCCESS;
    }
    let rounds = if arguments.iter().any(|argument| argument == "--quick") { 50 } else { 500 };
    let (text, mixed) = (frames::text(2_000), frames::mixed(2_000));

    let frames = mixed.clone();
    let mut intake = Intake::new();
    let mut read = || frames.iter().for_each(|frame| _ = intake.text(frame, &mut |_| {}).unwrap());
    read();
    let taken = allocation_counter::measure(read);
    println!("allocations per event, mixed: {:.2}", taken.count_total as f64 / frames.len() as f64);
    let mut intake = Intake::new();
    let mut read = || text.iter().for_each(|frame| _ = intake.text(frame, &mut |_| {}).unwrap());
    read();
    let taken = allocation_counter::measure(read);
    let per_delta = taken.count_total as f64 / text.len() as f64;

    let on_text = race("text", &text, rounds);
    let on_mix = race("mixed", &mixed, rounds);

    let mut goals = Goals::default();
    goals.at_most("5.f", "allocations per text delta", per_delta, 1.1);
    goals.at_most("5.p", "text to an enforced event, ns", on_text[0], 45.0);
    goals.at_most("5.p", "mixed to enforced events, ns", on_mix[0], 110.0);
    goals.at_least("5.e", "careful / fast, mixed", on_mix[1] / on_mix[0], 3.0);
    let taken = mixed.iter().filter(|frame| matches!(intake.text(frame, &mut |_| {}), Ok(Some(_)))).count();
    goals.exactly("5.e", "frames taken", &taken, &mixed.len());
    goals.print();
    if goals.has_wrong() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
