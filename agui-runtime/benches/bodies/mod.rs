//! Whole bodies of responses, in pieces as on a connection.

use std::hint::black_box;
use std::time::Instant;

use ag_ui::client::transport::sse::decode_events;
use ag_ui::client::{Applier, ChunkNormalizer, Verifier};
use agui_runtime::receive::ReceivePipeline;
use agui_runtime::receive::pipeline::PipelineEnd;
use agui_runtime::wire::{proto, sse};
use futures::StreamExt as _;
use futures::executor::block_on;

use crate::goal::Goals;
use crate::typescript::Speed;

/// The size of a piece.
const PIECE: usize = 8 << 10;

/// A stream on both transports.
pub struct Bodies {
    events: usize,
    sse: Vec<Vec<u8>>,
    proto: Vec<Vec<u8>>,
    /// Its first events alone, for a slow reader.
    begin: Vec<Vec<u8>>,
}

impl Bodies {
    pub fn of(texts: &[String], messages: &[Vec<u8>]) -> Self {
        let body = |texts: &[String]| -> Vec<u8> {
            texts.iter().flat_map(|text| format!("data: {text}\n\n").into_bytes()).collect()
        };
        let frame =
            |message: &Vec<u8>| [&u32::try_from(message.len()).unwrap().to_be_bytes(), &message[..]].concat();
        let frames: Vec<u8> = messages.iter().flat_map(frame).collect();
        let pieces = |body: Vec<u8>| body.chunks(PIECE).map(<[u8]>::to_vec).collect();
        Self {
            events: texts.len(),
            sse: pieces(body(texts)),
            proto: pieces(frames),
            begin: pieces(body(&texts[..crate::frames::RUN])),
        }
    }
}

/// A way to read a body; returns the number of events.
type Reader = (&'static str, fn(&Bodies) -> usize);

pub const NAMES: [&str; 7] =
    ["validated", "validated-proto", "folded", "folded-proto", "peer-validated", "peer-folded", "records"];

pub const READERS: [Reader; 7] = [
    ("to validated events", |bodies| from_text(bodies, pulled)),
    ("protobuf to validated events", |bodies| from_proto(bodies, pulled)),
    ("to messages and state", |bodies| from_text(bodies, drained)),
    ("protobuf to messages and state", |bodies| from_proto(bodies, drained)),
    ("crate ag-ui, to validated events", |bodies| peer(&bodies.begin, None)),
    ("crate ag-ui, to messages and state", |bodies| peer(&bodies.begin, Some(Applier::new()))),
    ("floor: records found and owned", records),
];

fn pulled(pipeline: &mut ReceivePipeline) -> usize {
    let mut events = 0;
    while let Some(event) = pipeline.pull().unwrap() {
        black_box(event);
        events += 1;
    }
    events
}

fn drained(pipeline: &mut ReceivePipeline) -> usize {
    let mut events = 0;
    pipeline
        .drain(|event, applied, _| {
            black_box((event, applied));
            events += 1;
        })
        .unwrap();
    events
}

fn from_text(bodies: &Bodies, take: fn(&mut ReceivePipeline) -> usize) -> usize {
    let (mut decoder, mut pipeline) = (sse::Decoder::new(), ReceivePipeline::new());
    let mut events = 0;
    for piece in &bodies.sse {
        decoder.push(piece);
        while let Some(text) = decoder.next().unwrap() {
            pipeline.push_text(&text, &mut |warning| panic!("{warning}"));
            events += take(&mut pipeline);
        }
    }
    assert_eq!((pipeline.end().unwrap(), events), (PipelineEnd::Complete, bodies.events));
    events
}

fn from_proto(bodies: &Bodies, take: fn(&mut ReceivePipeline) -> usize) -> usize {
    let (mut decoder, mut pipeline) = (proto::Decoder::new(), ReceivePipeline::new());
    let mut events = 0;
    for piece in &bodies.proto {
        decoder.push(piece);
        while let Some(message) = decoder.next().unwrap() {
            pipeline.push_proto(message, &mut |warning| panic!("{warning}"));
            events += take(&mut pipeline);
        }
    }
    assert_eq!((pipeline.end().unwrap(), events), (PipelineEnd::Complete, bodies.events));
    events
}

/// The work of that crate's client on a body, without its connection.
fn peer(pieces: &[Vec<u8>], mut applier: Option<Applier>) -> usize {
    let pieces = futures::stream::iter(pieces.iter().map(Ok::<_, std::io::Error>));
    let (mut normalizer, mut verifier) = (ChunkNormalizer::new(), Verifier::new());
    let (mut ready, mut events) = (Vec::new(), 0);
    block_on(async {
        let mut stream = std::pin::pin!(decode_events(pieces));
        while let Some(event) = stream.next().await {
            normalizer.normalize(event.unwrap(), &mut ready).unwrap();
            for event in ready.drain(..) {
                verifier.verify(&event).unwrap();
                if let Some(applier) = &mut applier {
                    black_box(applier.apply(&event).unwrap());
                }
                black_box(event);
                events += 1;
            }
        }
    });
    assert_eq!(events, crate::frames::RUN);
    events
}

/// Gathers bytes, finds lines, and owns their payloads.
fn records(bodies: &Bodies) -> usize {
    let mut rest: Vec<u8> = Vec::new();
    let mut events = 0;
    for piece in &bodies.sse {
        rest.extend_from_slice(piece);
        let mut read = 0;
        while let Some(end) = rest[read..].iter().position(|byte| *byte == b'\n') {
            let line = &rest[read..read + end];
            if !line.is_empty() {
                black_box(String::from_utf8(line[6..].to_vec()).unwrap());
                events += 1;
            }
            read += end + 1;
        }
        rest.drain(..read);
    }
    assert_eq!(events, bodies.events);
    events
}

/// The best time per event of each reader, round by round in turn; the slow peer takes part in few rounds.
pub fn race(bodies: &Bodies, rounds: usize) -> Vec<f64> {
    let bytes: usize = bodies.sse.iter().map(Vec::len).sum();
    println!("\na body: {} events in {bytes} bytes", bodies.events);
    let mut best = vec![f64::INFINITY; READERS.len()];
    for round in 0..rounds {
        for ((name, reader), best) in READERS.iter().zip(&mut best) {
            if name.starts_with("crate") && round % (rounds / 10) != 0 {
                continue;
            }
            let begun = Instant::now();
            let events = reader(bodies);
            *best = best.min(begun.elapsed().as_nanos() as f64 / events as f64);
        }
    }
    for ((reader, _), time) in READERS.iter().zip(&best) {
        println!("  {reader:<42} {time:>8.1} ns  {:>6.2} times ours", time / best[0]);
    }
    best
}

pub fn judge(times: &[f64], typescript: Option<&Speed>, goals: &mut Goals) {
    let [validated, proto, folded, folded_proto, peer_validated, peer_folded, floor] = times[..] else {
        return;
    };
    let beside = ("records found and owned", floor);
    goals.time("5.v", "bytes to validated events", validated, 150.0, beside);
    goals.time("5.v", "bytes to messages and state", folded, 300.0, beside);
    goals.at_least("5.v", "crate ag-ui / ours, to validated events", peer_validated / validated, 520.0);
    goals.at_least("5.v", "crate ag-ui / ours, to messages and state", peer_folded / folded, 260.0);
    let (to_events, to_state) = (proto / validated, folded_proto / folded);
    println!(
        "protobuf / server-sent events: {to_events:.2} to validated events, {to_state:.2} to messages and state"
    );
    if let Some(Speed { client: Some(official), .. }) = typescript {
        let what = format!("TypeScript's {official} ns / ours, bytes to messages and state");
        goals.at_least("5.v", what, official / folded, 165.0);
    }
}
