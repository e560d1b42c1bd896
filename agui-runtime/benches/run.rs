//! The cost of sending an event: `cargo bench -p agui-runtime --bench run`, with `-- --quick` for a short look.
//!
//! An event through a typed guard, from the agent's `push` to the reader, beside the same event through handwritten
//! code: a spawned task that sends untyped events into a bounded `tokio::sync::mpsc`. Both have room for 16 events.
//! Rounds alternate and the best of each counts, because other load only adds. Nanoseconds depend on the machine; the
//! ratio is judged (a fifth: 90 ns where the handwritten stream needs 484). A size, a count of allocations or a ratio
//! beyond its goal makes the benchmark fail; a time is only reported, because it depends on the machine.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails by panicking")]

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, RunAgentInput, TextMessageContentEvent};
use agui_runtime::{Reasoning, ReasoningText, Step, TextMessage};
use agui_runtime::{RunOptions, start};
use futures::StreamExt;
use futures::executor::block_on;
use futures::future::join_all;

const DELTA: &str = "word by word ";

/// Says nothing.
#[agent]
async fn silent(run: &mut Run<Silent>, input: Input<Silent>) -> Result<(), Stop> {
    let _ = (run, input);
    Ok(())
}

/// Keeps some messages open and adds to one after the other, like a model that writes several at once.
#[agent]
async fn speaker(run: &mut Run<Speaker>, input: Input<Speaker>, shape: &(usize, usize)) -> Result<(), Stop> {
    let _ = input;
    let (open, each) = *shape;
    let mut messages = Vec::with_capacity(open);
    for _ in 0..open {
        messages.push(run.message().await);
    }
    for _ in 0..each {
        for message in &mut messages {
            message.push(DELTA).await;
        }
    }
    Ok(())
}

/// The same with a future for each message.
#[agent]
async fn choir(run: &mut Run<Choir>, input: Input<Choir>, shape: &(usize, usize)) -> Result<(), Stop> {
    let _ = input;
    let (open, each) = *shape;
    let run: &Emit = run;
    join_all((0..open).map(|_| async move {
        let mut message = run.message().await;
        for _ in 0..each {
            message.push(DELTA).await;
        }
    }))
    .await;
    Ok(())
}

fn input() -> RunAgentInput {
    RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0")
}

/// Runs an agent to its end and counts its events.
fn drain<A: agui_runtime::Agent>(agent: &Arc<A>, input: RunAgentInput) -> usize {
    let mut events = start(Arc::clone(agent), input, RunOptions::default());
    block_on(async {
        let mut count = 0;
        while let Some(event) = events.next().await {
            black_box(event);
            count += 1;
        }
        count
    })
}

/// The handwritten version: a spawned task, a bounded channel, untyped events.
fn by_hand(runtime: &tokio::runtime::Runtime, events: usize) -> usize {
    runtime.block_on(async {
        let (sender, mut receiver) = tokio::sync::mpsc::channel::<Event>(16);
        tokio::spawn(async move {
            for _ in 0..events {
                let event = TextMessageContentEvent::new("6f1c2a9e-message-1", DELTA.to_owned());
                if sender.send(event.into()).await.is_err() {
                    return;
                }
            }
        });
        let mut count = 0;
        while let Some(event) = receiver.recv().await {
            black_box(event);
            count += 1;
        }
        count
    })
}

/// The best time per event of each contender, round by round in turn.
fn race(rounds: usize, contenders: &mut [&mut dyn FnMut() -> usize]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; contenders.len()];
    for _ in 0..rounds {
        for (contender, best) in contenders.iter_mut().zip(&mut best) {
            let begun = Instant::now();
            let events = contender();
            let took: Duration = begun.elapsed();
            *best = best.min(took.as_nanos() as f64 / events as f64);
        }
    }
    best
}

/// Returns true if the goal was met.
#[must_use]
fn verdict(name: &str, measured: f64, goal: f64, unit: &str) -> bool {
    let met = if measured <= goal { "met" } else { "MISSED" };
    println!("{name:<58} {measured:>8.2} {unit:<6} goal <= {goal:<6} {met}");
    measured <= goal
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (events, rounds) = if quick { (10_000, 5) } else { (100_000, 40) };

    let mut met = true;
    for (guard, size) in [
        ("TextMessage", size_of::<TextMessage<'_>>()),
        ("Step", size_of::<Step<'_>>()),
        ("Reasoning", size_of::<Reasoning<'_>>()),
        ("ReasoningText", size_of::<ReasoningText<'_>>()),
    ] {
        met &= verdict(&format!("size of `{guard}`"), size as f64, 16.0, "bytes");
    }

    // Two runs of different length, so that the fixed cost of a run cancels out.
    let (short, long) = (Arc::new(Speaker::new((1, 1_000))), Arc::new(Speaker::new((1, 11_000))));
    let (few, many) = (input(), input());
    let few = allocation_counter::measure(|| assert!(drain(&short, few) > 1_000));
    let many = allocation_counter::measure(|| assert!(drain(&long, many) > 11_000));
    let per_event = (many.count_total - few.count_total) as f64 / 10_000.0;
    met &= verdict("allocations per content event, the text's own included", per_event, 1.1, "");

    let server = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let single = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let one = Arc::new(Speaker::new((1, events)));
    let hundred = Arc::new(Speaker::new((100, events / 100)));
    let thousands = Arc::new(Speaker::new((10_000, events / 10_000)));
    let together = Arc::new(Choir::new((10_000, events / 10_000)));
    let silent = Arc::new(Silent::new());
    let times = race(
        rounds,
        &mut [
            &mut || drain(&one, input()),
            &mut || by_hand(&server, events),
            &mut || by_hand(&single, events),
            &mut || drain(&hundred, input()),
            &mut || drain(&thousands, input()),
            &mut || drain(&together, input()),
            &mut || (0..1_000).map(|_| drain(&silent, input())).sum::<usize>() / 2,
        ],
    );
    let [one, server, single, hundred, thousands, together, silent] = times[..] else {
        return ExitCode::FAILURE;
    };
    println!("{:<58} {one:>8.2} ns", "typed, one message");
    println!("{:<58} {server:>8.2} ns", "mpsc(16), spawned task, tokio's server runtime");
    println!("{:<58} {single:>8.2} ns", "mpsc(16), spawned task, tokio's current-thread runtime");
    met &= verdict("typed / mpsc on the server runtime", one / server, 0.2, "");
    println!("{:<58} {:>8.2}", "typed / mpsc on the current-thread runtime", one / single);
    met &= verdict("100 messages, interleaved / one", hundred / one, 3.0, "");
    met &= verdict("10,000 messages, interleaved / one", thousands / one, 3.0, "");
    println!("{:<58} {:>8.2}", "10,000 messages, a future for each / one", together / one);
    let _ = verdict("a run that says nothing", silent / 1_000.0, 1.0, "us");
    if met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
