//! What writing an event costs: `cargo bench -p agui-runtime --bench encode`, with `-- --quick` for a short look.
//!
//! Both transports, into a buffer that is used again, beside crate `ag-ui`, serde_json on the same types, protobuf by way of prost's
//! structs, and what cannot be gone below: the pieces of a text delta copied one after the other, nothing looked at.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark prints and panics"
)]

#[allow(clippy::all, dead_code, missing_docs, rust_2018_idioms, reason = "generated, for the tests")]
#[path = "../../tests/src/wire/ag_ui.rs"]
#[rustfmt::skip]
mod ag_ui_proto;
mod frames;
#[allow(dead_code, reason = "each benchmark has goals of some kinds")]
mod goal;

use std::process::ExitCode;
use std::time::Instant;

use ag_ui::SseFormatter;
use agui_runtime::protocol::Event;
use agui_runtime::wire::{proto, sse};
use prost::Message as _;

use goal::Goals;

/// The same events in everybody's types.
struct Corpus {
    ours: Vec<Event>,
    peers: Vec<ag_ui::Event>,
}

impl Corpus {
    fn of(frames: &[String]) -> Self {
        Self {
            ours: frames.iter().map(|frame| serde_json::from_str(frame).unwrap()).collect(),
            peers: frames.iter().map(|frame| serde_json::from_str(frame).unwrap()).collect(),
        }
    }
}

/// A way to write all events; gives how many bytes they were.
type Writer = (&'static str, fn(&Corpus, &mut Vec<u8>));

const WRITERS: [Writer; 6] = [
    ("server-sent events", |corpus, out| {
        for event in &corpus.ours {
            sse::encode(std::hint::black_box(event), out);
        }
    }),
    ("protobuf", |corpus, out| {
        for event in &corpus.ours {
            proto::encode(std::hint::black_box(event), out).unwrap();
        }
    }),
    ("serde_json, the same types", |corpus, out| {
        for event in &corpus.ours {
            out.extend_from_slice(b"data: ");
            serde_json::to_writer(&mut *out, std::hint::black_box(event)).unwrap();
            out.extend_from_slice(b"\n\n");
        }
    }),
    ("crate ag-ui", |corpus, out| {
        for event in &corpus.peers {
            let frame = SseFormatter::new().encode_to_string(std::hint::black_box(event)).unwrap();
            out.extend_from_slice(frame.as_bytes());
        }
    }),
    ("prost's structs (text deltas only)", |corpus, out| {
        for event in &corpus.ours {
            if let Event::TextMessageContent(event) = std::hint::black_box(event) {
                by_prost(event.message_id.as_str(), &event.delta, out);
            }
        }
    }),
    ("floor: copied (text deltas only)", |corpus, out| {
        for event in &corpus.ours {
            if let Event::TextMessageContent(event) = std::hint::black_box(event) {
                out.extend_from_slice(br#"data: {"type":"TEXT_MESSAGE_CONTENT","messageId":""#);
                out.extend_from_slice(event.message_id.as_str().as_bytes());
                out.extend_from_slice(br#"","delta":""#);
                out.extend_from_slice(event.delta.as_bytes());
                out.extend_from_slice(b"\"}\n\n");
            }
        }
    }),
];

/// What a generated codec asks for: an event of its own, with texts of its own.
fn by_prost(message_id: &str, delta: &str, out: &mut Vec<u8>) {
    use ag_ui_proto::{BaseEvent, EventType, TextMessageContentEvent, event};

    let event = ag_ui_proto::Event {
        event: Some(event::Event::TextMessageContent(TextMessageContentEvent {
            base_event: Some(BaseEvent {
                r#type: EventType::TextMessageContent.into(),
                ..Default::default()
            }),
            message_id: message_id.to_owned(),
            delta: delta.to_owned(),
            subagent_run_id: None,
        })),
    };
    out.extend_from_slice(&(event.encoded_len() as u32).to_be_bytes());
    event.encode(out).unwrap();
}

/// The best time per event of each writer, round by round in turn: whatever else the machine does only adds.
fn race(name: &str, corpus: &Corpus, rounds: usize) -> Vec<f64> {
    println!("\n{name}: {} events", corpus.ours.len());
    let mut out = Vec::with_capacity(1 << 20);
    let mut best = [f64::INFINITY; WRITERS.len()];
    for _ in 0..rounds {
        for ((_, write), best) in WRITERS.iter().zip(&mut best) {
            out.clear();
            let begun = Instant::now();
            write(corpus, &mut out);
            *best = best.min(begun.elapsed().as_nanos() as f64 / corpus.ours.len() as f64);
        }
    }
    for ((writer, write), time) in WRITERS.iter().zip(&best) {
        out.clear();
        write(corpus, &mut out);
        let bytes = out.len() / corpus.ours.len();
        println!("  {writer:<38} {time:>8.1} ns  {:>5.2} times ours  {bytes:>4} bytes", time / best[0]);
    }
    best.into()
}

/// Runs one way alone, for counters outside: `--only sse|proto|serde|peer|prost|floor text|mixed`.
fn only(which: &str, frames: &[String]) {
    let index = ["sse", "proto", "serde", "peer", "prost", "floor"].iter().position(|name| *name == which);
    let (name, write) = WRITERS[index.unwrap()];
    let corpus = Corpus::of(frames);
    let mut out = Vec::with_capacity(1 << 20);
    for _ in 0..500 {
        out.clear();
        write(&corpus, &mut out);
    }
    println!("{name}: 500 times {} events, {} bytes", corpus.ours.len(), out.len());
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let (text, mixed) = (frames::text(2_000), frames::mixed(2_000));
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        only(&arguments[at + 1], if arguments[at + 2] == "text" { &text } else { &mixed });
        return ExitCode::SUCCESS;
    }
    let rounds = if arguments.iter().any(|argument| argument == "--quick") { 50 } else { 1_000 };
    let (text, mixed) = (Corpus::of(&text), Corpus::of(&mixed));

    let mut out = Vec::with_capacity(1 << 20);
    let mut goals = Goals::default();
    for (name, write) in &WRITERS[..2] {
        out.clear();
        let taken = allocation_counter::measure(|| write(&mixed, &mut out));
        goals.exactly("5.e", format!("allocations, {name}, mixed"), &taken.count_total, &0);
    }
    let on_text = race("text", &text, rounds);
    let on_mix = race("mixed", &mixed, rounds);
    goals.at_most("5.e", "server-sent events, text, ns", on_text[0], 20.0);
    goals.at_most("5.e", "server-sent events, mixed, ns", on_mix[0], 60.0);
    goals.at_most("5.e", "protobuf / server-sent events, text", on_text[1] / on_text[0], 1.0);
    goals.at_most("5.e", "protobuf / server-sent events, mixed", on_mix[1] / on_mix[0], 1.0);
    goals.at_least("5.e", "crate ag-ui / ours, text", on_text[3] / on_text[0], 5.0);
    goals.at_least("5.e", "crate ag-ui / ours, mixed", on_mix[3] / on_mix[0], 3.0);
    goals.print();
    if goals.has_wrong() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
