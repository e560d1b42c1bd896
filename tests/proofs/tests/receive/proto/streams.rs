//! The official streams, over the binary transport.

use agui_runtime::wire::proto::{self, Decoded, Decoder};
use agui_tests::need;
use agui_tests::outside::Node;
use agui_tests::verdict::{Asked, Part, verdict};
use agui_tests::wire::{equal, fixture::conformance};
use serde_json::{Value, json};

use super::bytes;
use crate::say;

/// The events of a body, for any cuts.
fn read(body: &[u8]) -> Vec<Value> {
    let mut decoder = Decoder::new();
    let mut events = Vec::new();
    for piece in body.chunks(7) {
        decoder.push(piece);
        while let Some(message) = decoder.next().unwrap() {
            match proto::decode(message) {
                Ok(Decoded::Event { json, .. }) => events.push(json),
                other => panic!("{other:?}"),
            }
        }
    }
    decoder.finish().unwrap();
    events
}

#[test]
fn the_official_streams_come_to_what_they_come_to_over_the_official_transport() {
    let node = need!(Node::ready());
    let streams: Vec<_> = ["conformance", "conformance/proposed"].into_iter().flat_map(conformance).collect();
    let every_event: Vec<Value> = streams.iter().flat_map(|stream| stream.stream.clone()).collect();
    let mut written = node.oracle("proto.mjs", &[], &every_event).into_iter();
    let (mut jobs, mut bodies, mut unsayable) = (Vec::new(), Vec::new(), Vec::new());
    for stream in &streams {
        let frames: Vec<Value> = written.by_ref().take(stream.stream.len()).collect();
        let frames: Option<Vec<&str>> = frames.iter().map(|written| written["frame"].as_str()).collect();
        // An event of a type without a place in the envelope becomes an empty frame, which no reader accepts.
        match frames.filter(|frames| !frames.contains(&"00000000")) {
            None => unsayable.push(stream.name.as_str()),
            Some(frames) => {
                let job = json!({ "stream": stream.stream, "client": stream.client });
                jobs.push((stream.name.as_str(), job));
                bodies.push(frames.concat());
            }
        }
    }
    let given: Vec<Value> = jobs.iter().map(|(_, job)| job.clone()).collect();
    let judged = node.verify(&["--wire", "proto", "--only", "pipeline"], &given);
    for (((name, mut job), body), official) in jobs.into_iter().zip(&bodies).zip(&judged) {
        job["stream"] = read(&bytes(body)).into();
        let ours = verdict(&job, &Asked::whole([Part::Pipeline])).unwrap();
        for key in ["accepted", "code", "eventTypes", "messages", "state", "runErrors", "pendingInterrupts"] {
            let (ours, official) = (&ours["pipeline"][key], &official["pipeline"][key]);
            assert!(equal(ours, official), "{name}: {key}\n{ours:#}\n{official:#}");
        }
    }
    let compared = bodies.len();
    say(&format!("{compared} official streams over the binary transport; not sayable on it: {unsayable:?}"));
    assert!(compared > 45, "{compared}");
}
