//! Our client against the official one, on random streams: verdict, code, place, messages, state, ends of runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    num::NonZero,
    sync::Mutex,
    thread,
    time::Instant,
};

use agui_runtime::protocol::{Event, Message};
use agui_runtime::receive::reduce::Reducer;
use agui_runtime::receive::{PeerCeiling, ReceivePipeline};
use agui_tests::{
    need,
    outside::{Folded, Node, Stream},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use agui_tests::verdict::as_hooks_see;
use agui_tests::wire::equal;

use crate::{excuse::Excuses, generate::stream::stream, say, times};

/// The number of streams, from the one that `AGUI_RECEIVE_FIRST` names.
const STREAMS: u64 = 20_000;

/// The number of streams for one process of the official client.
const BATCH: u64 = 4_000;

/// Our client's result for a stream of an agent with AG-UI 1.0, and the parts that must not be compared.
pub(crate) fn fold(stream: &Stream) -> (Folded, Excuses) {
    fold_from(stream, PeerCeiling::new(1, 0, 0))
}

/// The same for an agent of any age.
fn fold_from(stream: &Stream, ceiling: PeerCeiling) -> (Folded, Excuses) {
    let messages = Vec::<Message>::deserialize(&stream.messages).unwrap();
    let reducer = Reducer::new().with_messages(messages).with_state(stream.state.clone());
    let mut pipeline = ReceivePipeline::new().with_ceiling(ceiling).with_reducer(reducer);
    let mut excuses = Excuses::default();
    let mut delivered = 0;
    let mut finished = Vec::new();
    let mut refused = None;
    'events: for (at, event) in stream.events.iter().enumerate() {
        pipeline.push_json(event.clone(), &mut |_| {});
        loop {
            match pipeline.pull() {
                Ok(None) => break,
                Ok(Some(event)) => {
                    delivered += 1;
                    excuses.renew(&event);
                    excuses.foresee(at, &event, pipeline.reducer());
                    if let Some(warning) = pipeline.apply(&event).warning {
                        excuses.observe(at, &event, &warning);
                    }
                    if matches!(event, Event::RunFinished(_)) {
                        finished.push(as_hooks_see(pipeline.reducer().run().unwrap().end().unwrap()));
                    }
                }
                Err(error) => {
                    refused = Some(error);
                    break 'events;
                }
            }
        }
    }
    let reducer = pipeline.reducer();
    let folded = Folded {
        code: refused.as_ref().map(|error| error.code().to_owned()),
        at: refused.as_ref().map(agui_runtime::receive::ReceiveError::at),
        delivered,
        messages: json!(reducer.messages()),
        state: reducer.state().clone(),
        finished,
        pending_interrupts: json!(reducer.pending_interrupts()),
    };
    (folded, excuses)
}

/// An agent of today changes nothing but the types, and each type comes with its value.
fn has_its_types(stream: &Stream, of_1_0: &Folded) {
    let (mut current, _) = fold_from(stream, PeerCeiling::CURRENT);
    let mut sent = BTreeSet::new();
    [&stream.messages, &json!(stream.events)].into_iter().for_each(|json| pairs(json, &mut sent));
    let mut held = BTreeSet::new();
    pairs(&current.messages, &mut held);
    assert!(held.is_subset(&sent), "{held:?} of {sent:?} in {:#}", json!(stream.events));
    for json in [&mut current.messages].into_iter().chain(&mut current.finished) {
        remove_types(json);
    }
    if !has_bad_types(&json!(stream.events)) {
        assert!(same(&current, of_1_0), "{current:?}\n{of_1_0:?}\nin {:#}", json!(stream.events));
    }
}

/// Collects encrypted values with the types beside them.
fn pairs(json: &Value, found: &mut BTreeSet<(String, Option<String>)>) {
    if let Some(value) = json.get("encryptedValue").and_then(Value::as_str) {
        let value_type = json.get("encryptedValueType").and_then(Value::as_str);
        found.insert((value.to_owned(), value_type.map(str::to_owned)));
    }
    children(json).for_each(|child| pairs(child, found));
}

/// True if a mutation has made a type that is no text, which only a client that knows types refuses.
fn has_bad_types(json: &Value) -> bool {
    json.get("encryptedValueType").is_some_and(|value_type| !value_type.is_string())
        || children(json).any(has_bad_types)
}

/// Removes the types of encrypted values, which AG-UI 1.0 does not have.
pub(crate) fn remove_types(json: &mut Value) {
    match json {
        Value::Object(members) => {
            members.remove("encryptedValueType");
            members.values_mut().for_each(remove_types);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_types),
        _ => {}
    }
}

fn children(json: &Value) -> impl Iterator<Item = &Value> {
    let members = json.as_object().into_iter().flat_map(Map::values);
    members.chain(json.as_array().into_iter().flatten())
}

/// Returns true if two clients have the same result for a stream.
pub(crate) fn same(ours: &Folded, theirs: &Folded) -> bool {
    (&ours.code, ours.at, ours.delivered) == (&theirs.code, theirs.at, theirs.delivered)
        && equal(&ours.messages, &theirs.messages)
        && equal(&ours.state, &theirs.state)
        && equal(&json!(ours.finished), &json!(theirs.finished))
        && equal(&ours.pending_interrupts, &theirs.pending_interrupts)
}

#[derive(Debug, Default)]
struct Tally {
    streams: u64,
    events: u64,
    accepted: u64,
    /// Streams in which something could not be compared.
    excused: u64,
    codes: BTreeMap<String, u64>,
    differences: BTreeMap<String, u64>,
}

#[test]
fn our_client_is_the_official_one() {
    let node = need!(Node::ready());
    let streams = STREAMS * times() as u64;
    let first: u64 = env::var("AGUI_RECEIVE_FIRST").map_or(0, |first| first.parse().unwrap());
    let begun = Instant::now();
    let next = Mutex::new(first);
    let total = Mutex::new(Tally::default());
    let processes = thread::available_parallelism().map_or(1, NonZero::get).min(8);
    thread::scope(|scope| {
        for _ in 0..processes {
            scope.spawn(|| {
                loop {
                    let from = {
                        let mut next = next.lock().unwrap();
                        let from = *next;
                        *next = (from + BATCH).min(first + streams);
                        from
                    };
                    let seeds: Vec<u64> = (from..(from + BATCH).min(first + streams)).collect();
                    if seeds.is_empty() {
                        break;
                    }
                    compare(&node, &seeds, &total);
                }
            });
        }
    });
    let total = total.into_inner().unwrap();
    say(&format!(
        "fold: {} streams of {} events, {} accepted, refused for {:?}, {} with differences: {:?}, {:.1?}",
        total.streams,
        total.events,
        total.accepted,
        total.codes,
        total.excused,
        total.differences,
        begun.elapsed(),
    ));
    assert!(total.accepted * 5 > total.streams, "too few are legal");
    assert!(total.excused * 30 < total.streams, "too many are not compared in all");
    assert!(total.codes.len() > 35, "too few ways of being refused");
}

fn compare(node: &Node, seeds: &[u64], total: &Mutex<Tally>) {
    let streams: Vec<Stream> = seeds.iter().map(|seed| stream(*seed)).collect();
    let mut tally = Tally::default();
    // The part before a difference is compared without excuse.
    let mut before = Vec::new();
    for ((seed, stream), theirs) in seeds.iter().zip(&streams).zip(node.fold_many(&streams)) {
        let (ours, excuses) = fold(stream);
        has_its_types(stream, &ours);
        tally.streams += 1;
        tally.events += stream.events.len() as u64;
        if !excuses.same(&ours, &theirs) {
            report(node, *seed, stream);
        }
        match &ours.code {
            None => tally.accepted += 1,
            Some(code) => *tally.codes.entry(code.clone()).or_default() += 1,
        }
        if !same(&ours, &theirs) {
            for difference in excuses.differences() {
                *tally.differences.entry(difference.to_owned()).or_default() += 1;
            }
            let events = stream.events[..excuses.first().unwrap()].to_vec();
            before.push((*seed, Stream { events, ..stream.clone() }));
        }
    }
    tally.excused = before.len() as u64;
    let (seeds, streams): (Vec<u64>, Vec<Stream>) = before.into_iter().unzip();
    for ((seed, stream), theirs) in seeds.iter().zip(&streams).zip(node.fold_many(&streams)) {
        let (ours, excuses) = fold(stream);
        if !excuses.same(&ours, &theirs) {
            report(node, *seed, stream);
        }
    }
    let mut total = total.lock().unwrap();
    total.streams += tally.streams;
    total.events += tally.events;
    total.accepted += tally.accepted;
    total.excused += tally.excused;
    for (code, count) in tally.codes {
        *total.codes.entry(code).or_default() += count;
    }
    for (difference, count) in tally.differences {
        *total.differences.entry(difference).or_default() += count;
    }
}

fn report(node: &Node, seed: u64, stream: &Stream) -> ! {
    let least = shrink(node, stream.clone());
    let (ours, excuses) = fold(&least);
    let theirs = node.fold_many(std::slice::from_ref(&least));
    panic!(
        "stream {seed}: we make\n{}\nof it, the official client\n{}\nof\n{:#}\nwith {excuses:?}",
        json!(format!("{ours:?}")),
        json!(format!("{:?}", theirs[0])),
        json!({ "messages": least.messages, "state": least.state, "events": least.events }),
    );
}

/// The shortest part of this stream that still shows the difference.
fn shrink(node: &Node, mut stream: Stream) -> Stream {
    loop {
        let mut shorter: Vec<Stream> = (0..stream.events.len())
            .map(|at| {
                let mut shorter = stream.clone();
                shorter.events.remove(at);
                shorter
            })
            .collect();
        if stream.messages != json!([]) {
            shorter.push(Stream { messages: json!([]), ..stream.clone() });
        }
        if stream.state != json!({}) {
            shorter.push(Stream { state: json!({}), ..stream.clone() });
        }
        let theirs = node.fold_many(&shorter);
        let found = shorter.into_iter().zip(theirs).find(|(shorter, theirs)| {
            let (ours, excuses) = fold(shorter);
            !excuses.same(&ours, theirs)
        });
        match found {
            Some((shorter, _)) => stream = shorter,
            None => return stream,
        }
    }
}
