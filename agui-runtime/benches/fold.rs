//! The cost of making messages and state of a stream, event by event: `cargo bench -p agui-runtime --bench fold`, with
//! `-- --quick` for a short look.
//!
//! The cost of an event depends on the event only: not on the history before it, nor on the state it changes. The cost
//! of a patch is printed beside the json-patch crate's, in place. Ratios are of one round in one process, and a missed
//! one makes it fail.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails by panicking")]
#![allow(missing_docs)]

#[allow(dead_code, reason = "each benchmark has goals of some kinds")]
mod goal;
#[allow(dead_code)]
mod timing;

use std::hint::black_box;
use std::process::ExitCode;

use agui_runtime::json::patch::patch;
use agui_runtime::protocol::{
    Event, JsonPatch, JsonPointer, Message, Metadata, PatchOperation, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, RunStartedEvent, StateDeltaEvent, TextMessageContentEvent,
    TextMessageEndEvent, TextMessageStartEvent, ToolCallArgsEvent, ToolCallEndEvent, ToolCallResultEvent,
    ToolCallStartEvent, UserMessage,
};
use agui_runtime::receive::{ReceivePipeline, Reducer};
use goal::Goals;
use serde_json::{Value, json};
use timing::{Effort, median, middle, spelled};

/// A typical turn of an agent: text, a call with its answer, and text about both.
fn turn() -> Vec<Event> {
    let mut events: Vec<Event> = vec![TextMessageStartEvent::new("the-answer").into()];
    let content = || TextMessageContentEvent::new("the-answer", "word ");
    events.extend((0..400).map(|_| Event::from(content())));
    events.push(content().with_metadata(Metadata::from_iter([("acme/n", json!(1))])).into());
    events.push(TextMessageEndEvent::new("the-answer").into());
    events.push(ToolCallStartEvent::new("the-call", "forecast").with_parent_message_id("the-answer").into());
    events.extend((0..200).map(|_| Event::from(ToolCallArgsEvent::new("the-call", "\"Oslo\","))));
    events.push(ToolCallEndEvent::new("the-call").into());
    let of_call = ReasoningEncryptedValueSubtype::ToolCall;
    events.push(ReasoningEncryptedValueEvent::new(of_call, "the-call", "k9w=").into());
    events.push(ToolCallResultEvent::new("the-result", "the-call", "Rain until noon.").into());
    events
}

fn history(messages: usize) -> Vec<Message> {
    (0..messages)
        .map(|number| UserMessage::new(format!("message-{number}"), "What of this?").into())
        .collect()
}

/// A state of about `bytes` bytes: a list of things with members.
fn state(bytes: usize) -> Value {
    let things = (0..bytes.div_ceil(64)).map(|number| {
        json!({ "id": format!("thing-{number:06}"), "count": number, "done": false, "note": "as it was" })
    });
    json!({ "title": "Things", "total": 0, "things": things.collect::<Vec<_>>() })
}

/// Deltas of one operation and of several, on the same places in a state of any size.
fn deltas() -> Vec<(&'static str, Vec<PatchOperation>)> {
    let thing = JsonPointer::root().child("things").child("7");
    let count = || PatchOperation::replace(thing.child("count"), 42);
    let several = vec![
        PatchOperation::test(thing.child("id"), "thing-000007"),
        count(),
        PatchOperation::add(thing.child("tags"), json!(["new", "old"])),
        PatchOperation::replace(JsonPointer::root().child("total"), 1),
    ];
    vec![("one operation", vec![count()]), ("four operations", several)]
}

/// Nanoseconds per event, with the same reducer again and again: its work on the history is the same each time.
fn per_event(reducer: &Reducer, events: &[Event], effort: Effort) -> f64 {
    let mut context = (reducer.clone(), reducer.clone());
    let took = middle(
        effort.fast,
        &mut context,
        |(fresh, used)| {
            used.clone_from(fresh);
            // A copy has no spare room. A growing list doubles its room sometimes, which is a part of the cost of each
            // message, and not of this turn's only.
            used.add_message(UserMessage::new("the-question", "And now?").into());
        },
        |(_, used)| {
            events.iter().for_each(|event| drop(black_box(used.apply(black_box(event)))));
            used.messages().len()
        },
    );
    took / events.len() as f64
}

fn over_history(effort: Effort, goals: &mut Goals) {
    let events = turn();
    let sizes = [10, 100, 1_000, 10_000];
    let reducers = sizes.map(|size| {
        let mut reducer = Reducer::new().with_messages(history(size));
        reducer.apply(&RunStartedEvent::new("t", "r").into()).unwrap();
        reducer
    });
    let rounds: Vec<Vec<f64>> = (0..effort.rounds)
        .map(|_| reducers.iter().map(|reducer| per_event(reducer, &events, effort)).collect())
        .collect();
    println!("messages before   per event");
    for (at, size) in sizes.iter().enumerate() {
        println!(
            "{size:>15} {:>11}",
            spelled(median(rounds.iter().filter_map(|round| round.get(at).copied())))
        );
    }
    let ratio = median(rounds.iter().filter_map(|round| Some(round.last()? / round.first()?)));
    goals.at_most("flat", "an event after 10,000 messages, to one after 10", ratio, 1.2);
}

fn over_state(effort: Effort, goals: &mut Goals) {
    println!("\n{:<16} {:>9} {:>10} {:>10} {:>6}", "state delta", "bytes", "here", "json-patch", "ratio");
    for (name, operations) in deltas() {
        let event: Event = StateDeltaEvent::new(JsonPatch::from(operations.clone())).into();
        let peer: json_patch::Patch = serde_json::from_value(json!(operations)).unwrap();
        let mut times: Vec<f64> = Vec::new();
        for bytes in [1_000, 30_000, 1_000_000] {
            let mut ours = Reducer::new().with_state(state(bytes));
            let mut theirs = state(bytes);
            let calls = 100;
            let rounds: Vec<(f64, f64)> = (0..effort.rounds)
                .map(|_| {
                    let here = middle(
                        effort.fast,
                        &mut ours,
                        |_| {},
                        |reducer| {
                            (0..calls).for_each(|_| drop(black_box(reducer.apply(black_box(&event)))));
                            calls
                        },
                    );
                    let there = middle(
                        effort.fast,
                        &mut theirs,
                        |_| {},
                        |document| {
                            (0..calls).for_each(|_| json_patch::patch(document, black_box(&peer)).unwrap());
                            calls
                        },
                    );
                    (here / calls as f64, there / calls as f64)
                })
                .collect();
            let (here, there) = (median(rounds.iter().map(|r| r.0)), median(rounds.iter().map(|r| r.1)));
            let ratio = median(rounds.iter().map(|(here, there)| here / there));
            println!("{name:<16} {bytes:>9} {:>10} {:>10} {ratio:>6.2}", spelled(here), spelled(there));
            goals.at_most("1.3x", format_args!("{name} on {bytes} bytes, to json-patch"), ratio, 1.3);
            times.push(here);
        }
        let (first, last) = (times.first().copied().unwrap(), times.last().copied().unwrap());
        goals.at_most("flat", format_args!("{name} on 1 MB, to 1 kB"), last / first, 1.2);
    }
    let mut document = state(1_000);
    assert!(deltas().iter().all(|(_, operations)| patch(&mut document, operations).is_ok()));
}

/// The whole of it, from typed events and from frames.
fn pipeline(effort: Effort) {
    let mut events: Vec<Event> = vec![RunStartedEvent::new("t", "r").into()];
    events.extend(turn());
    let frames: Vec<String> = events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let mut context = (events.clone(), ReceivePipeline::new());
    let typed = middle(
        effort.fast,
        &mut context,
        |(feed, pipeline)| (*feed, *pipeline) = (events.clone(), ReceivePipeline::new()),
        |(feed, pipeline)| {
            feed.drain(..).for_each(|event| pipeline.receive(event, |_, _, _| {}).unwrap());
            pipeline.received()
        },
    );
    let mut context = ReceivePipeline::new();
    let read = middle(
        effort.fast,
        &mut context,
        |pipeline| *pipeline = ReceivePipeline::new(),
        |pipeline| {
            for frame in &frames {
                pipeline.push_text(frame, &mut |_| {});
                pipeline.drain(|_, _, _| {}).unwrap();
            }
            pipeline.received()
        },
    );
    println!("\nper event         from typed {:>9}", spelled(typed / events.len() as f64));
    println!("                 from frames {:>9}", spelled(read / events.len() as f64));
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let effort = if quick { Effort::QUICK } else { Effort { fast: 100, ..Effort::FULL } };
    let mut goals = Goals::default();
    over_history(effort, &mut goals);
    over_state(effort, &mut goals);
    pipeline(effort);
    goals.print();
    if goals.has_missed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
