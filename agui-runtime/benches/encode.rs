//! The cost of writing an event: `cargo bench -p agui-runtime --bench encode`, with `-- --quick` for a short look.
//!
//! Both transports, into a reused buffer, beside crate `ag-ui`, the official package, serde_json on the same types,
//! protobuf by way of prost's structs, and a lower bound: a copy of the frames' bytes. Three streams: text, a mix, and
//! the changes of a typed state, which are text before they are written.
//!
//! A missed ratio makes it fail, and so does an allocation; nanoseconds depend on the machine, and are printed beside
//! the lower bound.
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
mod changes;
mod frames;
#[allow(dead_code, reason = "each benchmark has goals of some kinds")]
mod goal;
#[allow(dead_code, reason = "each benchmark looks at some of it")]
mod typescript;

use std::process::ExitCode;
use std::time::Instant;

use ag_ui::SseFormatter;
use agui_runtime::protocol::Event;
use agui_runtime::receive::FrameIntake;
use agui_runtime::wire::{proto, sse};
use prost::Message as _;

use goal::Goals;

/// The same events in the types of each contender.
struct Corpus {
    ours: Vec<Event>,
    peers: Vec<ag_ui::Event>,
    /// The final bytes, for the lower bound.
    frames: Vec<Vec<u8>>,
}

impl Corpus {
    fn of(frames: &[String]) -> Self {
        Self::from(frames.iter().map(|frame| serde_json::from_str(frame).unwrap()).collect::<Vec<Event>>())
    }
}

impl From<Vec<Event>> for Corpus {
    fn from(ours: Vec<Event>) -> Self {
        let texts: Vec<String> = ours.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let frame = |event| {
            let mut frame = Vec::new();
            sse::encode(event, &mut frame);
            frame
        };
        Self {
            peers: texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect(),
            frames: ours.iter().map(frame).collect(),
            ours,
        }
    }
}

/// A way to write all events; returns the number of bytes.
type Writer = (&'static str, fn(&Corpus, &mut Vec<u8>));

const WRITERS: [Writer; 7] = [
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
    ("floor: pieces copied (text deltas only)", |corpus, out| {
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
    ("floor: whole frames copied", |corpus, out| {
        for frame in &corpus.frames {
            out.extend_from_slice(std::hint::black_box(frame));
        }
    }),
];

/// The input of a generated codec: an event of its own, with strings of its own.
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

/// Their places in [`WRITERS`].
const SSE: usize = 0;
const PROTO: usize = 1;
const PEER: usize = 3;
const PIECES: usize = 5;
const FRAMES: usize = 6;

/// The best time per event of each writer, round by round in turn: other load only adds.
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
        if bytes > 0 {
            println!("  {writer:<40} {time:>8.1} ns  {:>6.2} times ours  {bytes:>4} bytes", time / best[SSE]);
        }
    }
    best.into()
}

/// Runs one way alone, for counters outside: `--only sse|proto|serde|peer|prost|pieces|frames text|mixed|changes`.
fn only(which: &str, corpus: &Corpus) {
    let names = ["sse", "proto", "serde", "peer", "prost", "pieces", "frames"];
    let index = names.iter().position(|name| *name == which);
    let (name, write) = WRITERS[index.unwrap()];
    let mut out = Vec::with_capacity(1 << 20);
    for _ in 0..50 {
        out.clear();
        write(corpus, &mut out);
    }
    println!("{name}: 50 times {} events, {} bytes", corpus.ours.len(), out.len());
}

/// The number of allocations to read an event, on both transports, after similar ones were read.
fn reading(texts: &[String]) -> [f64; 2] {
    let message = |text: &String| {
        let mut frame = Vec::new();
        proto::encode(&serde_json::from_str(text).unwrap(), &mut frame).unwrap();
        frame.split_off(4)
    };
    let messages: Vec<Vec<u8>> = texts.iter().map(message).collect();
    let (mut sse, mut proto) = (FrameIntake::new(), FrameIntake::new());
    let mut read = || texts.iter().for_each(|text| drop(sse.text(text, &mut |_| {}).unwrap()));
    read();
    let of_text = allocation_counter::measure(read).count_total;
    let mut read = || messages.iter().for_each(|message| drop(proto.proto(message, &mut |_| {}).unwrap()));
    read();
    let of_messages = allocation_counter::measure(read).count_total;
    [of_text, of_messages].map(|taken| taken as f64 / texts.len() as f64)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let (text, mixed) = (frames::text(2_000), frames::mixed(2_000));
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        let corpus = match arguments[at + 2].as_str() {
            "text" => Corpus::of(&text),
            "mixed" => Corpus::of(&mixed),
            _ => changes::deltas(500).into(),
        };
        only(&arguments[at + 1], &corpus);
        return ExitCode::SUCCESS;
    }
    let rounds = if arguments.iter().any(|argument| argument == "--quick") { 50 } else { 1_000 };
    let typescript = [typescript::measure(&text), typescript::measure(&mixed)];
    let names = ["text", "mixed", "changes of a typed state"];
    let corpora = [Corpus::of(&text), Corpus::of(&mixed), changes::deltas(500).into()];

    let mut out = Vec::with_capacity(1 << 20);
    let mut goals = Goals::default();
    for (name, corpus) in names.iter().zip(&corpora) {
        for (writer, write) in [WRITERS[SSE], WRITERS[PROTO]] {
            out.clear();
            let taken = allocation_counter::measure(|| write(corpus, &mut out));
            goals.exactly("5.e", format!("allocations, {writer}, {name}"), &taken.count_total, &0);
        }
    }
    for (name, texts, most) in [("text", &text, 1.1), ("mixed", &mixed, 2.5)] {
        for (way, taken) in ["server-sent events", "protobuf"].iter().zip(reading(texts)) {
            goals.at_most("5.p", format!("allocations of an event that is read, {way}, {name}"), taken, most);
        }
    }
    let times: Vec<_> = names.iter().zip(&corpora).map(|(name, corpus)| race(name, corpus, rounds)).collect();
    let goal = [(20.0, PIECES, 6.65), (60.0, FRAMES, 3.25)];
    for ((name, times), (most, floor, over_peer)) in names.iter().zip(&times).zip(goal) {
        let beside = (WRITERS[floor].0, times[floor]);
        goals.time("5.e", format!("server-sent events, {name}"), times[SSE], most, beside);
        // The goals as ratios to the peer's times on that machine: 133 ns and 195 ns.
        goals.at_least("5.e", format!("crate ag-ui / ours, {name}"), times[PEER] / times[SSE], over_peer);
    }
    // One of the ready texts is a copy, the other has to be parsed.
    for (name, times) in names.iter().zip(&times).take(2) {
        goals.at_most(
            "5.e",
            format!("protobuf / server-sent events, {name}"),
            times[PROTO] / times[SSE],
            1.0,
        );
    }
    for ((name, times), official) in names.iter().zip(&times).zip(typescript) {
        let Some(official) = official else { continue };
        let what = format!("protobuf, TypeScript's {} ns / ours, {name}", official.encode);
        goals.at_least("5.e", what, official.encode / times[PROTO], 50.0);
    }
    goals.print();
    if goals.has_missed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
