//! Our client against the official one, on streams written by chance: verdict, code, place, messages, state, ends of runs.

use std::{collections::BTreeMap, env, num::NonZero, sync::Mutex, thread, time::Instant};

use agui_runtime::protocol::{Event, Message, PatchOperation};
use agui_runtime::receive::patch::{PatchError, PatchFault};
use agui_runtime::receive::reduce::{ReduceWarning, Reducer};
use agui_runtime::receive::{Pipeline, differences::Difference};
use agui_tests::{
    need,
    outside::{Folded, Node, Stream},
};
use serde::Deserialize;
use serde_json::{Value, json};

use agui_tests::verdict::as_hooks_see;
use agui_tests::wire::equal;

use crate::{generate::stream::stream, say, times};

/// How many streams are compared, from the one that `AGUI_RECEIVE_FIRST` names, if it does.
const STREAMS: u64 = 20_000;

/// How many streams one process of the official client reads.
const BATCH: u64 = 10_000;

/// What our client makes of a stream, and the difference it ran into, if it did.
pub(crate) fn fold(stream: &Stream) -> (Folded, Option<Difference>) {
    let messages = Vec::<Message>::deserialize(&stream.messages).unwrap();
    let reducer = Reducer::new().with_messages(messages).with_state(stream.state.clone());
    let mut pipeline = Pipeline::new().with_reducer(reducer);
    let mut difference = None;
    let mut delivered = 0;
    let mut finished = Vec::new();
    let mut refused = None;
    'events: for event in &stream.events {
        pipeline.push_json(event.clone(), &mut |_| {});
        loop {
            match pipeline.pull() {
                Ok(None) => break,
                Ok(Some(event)) => {
                    delivered += 1;
                    let before = foreseen(&event, pipeline.reducer());
                    let applied = pipeline.apply(&event);
                    let after = applied.warning.and_then(|warning| observed(&event, &warning));
                    difference = difference.or(before).or(after);
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
    (folded, difference)
}

/// A difference that will show if anything later touches what this event leaves.
fn foreseen(event: &Event, reducer: &Reducer) -> Option<Difference> {
    let scalar = |value: &Value| !value.is_object() && !value.is_array() && !value.is_null();
    match event {
        Event::MessagesSnapshot(snapshot) => {
            let twice = |message: &Message| {
                reducer.messages().iter().filter(|local| local.id() == message.id()).count() > 1
            };
            snapshot.messages.iter().any(twice).then_some(Difference::AliasedCopies)
        }
        // A single operation on a scalar leaves it as it is, whether it counts as a success or not.
        Event::StateDelta(delta) => {
            let operations = delta.delta.operations().unwrap();
            let becomes = |operation: &PatchOperation| match operation {
                PatchOperation::Add(add) => add.path.as_str().is_empty() && scalar(&add.value),
                PatchOperation::Replace(replace) => {
                    replace.path.as_str().is_empty() && scalar(&replace.value)
                }
                PatchOperation::Copy(_) | PatchOperation::Move(_) => operation.path().as_str().is_empty(),
                _ => false,
            };
            let is = scalar(reducer.state()) || operations.iter().any(becomes);
            (operations.len() > 1 && is).then_some(Difference::ScalarDocument)
        }
        Event::ActivityDelta(delta) => {
            let operations = delta.patch.operations().unwrap();
            let whole = |operation: &PatchOperation| operation.path().as_str().is_empty();
            (operations.len() > 1 && operations.iter().any(whole)).then_some(Difference::ActivityNotAnObject)
        }
        _ => None,
    }
}

/// A difference that has shown.
fn observed(event: &Event, warning: &ReduceWarning) -> Option<Difference> {
    let of_patch = |error: &PatchError, operations: &[PatchOperation]| {
        let operation = &operations[error.op];
        let relocates = matches!(operation, PatchOperation::Move(_) | PatchOperation::Copy(_));
        match error.fault {
            PatchFault::IntoItself => Some(Difference::MovedIntoItself),
            PatchFault::Missing if relocates && error.path.is_empty() => Some(Difference::NothingToTheRoot),
            // It was a place until the moved value was taken away.
            PatchFault::Missing | PatchFault::Index(_) if matches!(operation, PatchOperation::Move(_)) => {
                Some(Difference::MovedIntoItself)
            }
            _ => None,
        }
    };
    match (event, warning) {
        (_, ReduceWarning::ActivityNotAnObject { .. }) => Some(Difference::ActivityNotAnObject),
        (Event::StateDelta(delta), ReduceWarning::StatePatch(error)) => {
            of_patch(error, &delta.delta.operations().unwrap())
        }
        (Event::ActivityDelta(delta), ReduceWarning::ActivityPatch { error, .. }) => {
            of_patch(error, &delta.patch.operations().unwrap())
        }
        _ => None,
    }
}

/// Whether two clients made the same of a stream.
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
        "fold: {} streams of {} events, {} accepted, refused for {:?}, differences met {:?}, {:.1?}",
        total.streams,
        total.events,
        total.accepted,
        total.codes,
        total.differences,
        begun.elapsed(),
    ));
    assert!(total.accepted * 5 > total.streams, "too few are legal");
    let met: u64 = total.differences.values().sum();
    assert!(met * 30 < total.streams, "too many are not compared");
    assert!(total.codes.len() > 35, "too few ways of being refused");
}

fn compare(node: &Node, seeds: &[u64], total: &Mutex<Tally>) {
    let streams: Vec<Stream> = seeds.iter().map(|seed| stream(*seed)).collect();
    let mut tally = Tally::default();
    for ((seed, stream), theirs) in seeds.iter().zip(&streams).zip(node.fold_many(&streams)) {
        let (ours, difference) = fold(stream);
        tally.streams += 1;
        tally.events += stream.events.len() as u64;
        match (&ours.code, difference.filter(|_| !same(&ours, &theirs))) {
            _ if difference.is_none() && !same(&ours, &theirs) => {
                let least = shrink(node, stream.clone());
                let (ours, _) = fold(&least);
                let theirs = node.fold_many(std::slice::from_ref(&least));
                panic!(
                    "stream {seed}: we make\n{}\nof it, the official client\n{}\nof\n{:#}",
                    json!(format!("{ours:?}")),
                    json!(format!("{:?}", theirs[0])),
                    json!({ "messages": least.messages, "state": least.state, "events": least.events }),
                );
            }
            (_, Some(difference)) => {
                *tally.differences.entry(format!("{difference:?}")).or_default() += 1;
            }
            (None, None) => tally.accepted += 1,
            (Some(code), None) => *tally.codes.entry(code.clone()).or_default() += 1,
        }
    }
    let mut total = total.lock().unwrap();
    total.streams += tally.streams;
    total.events += tally.events;
    total.accepted += tally.accepted;
    for (code, count) in tally.codes {
        *total.codes.entry(code).or_default() += count;
    }
    for (difference, count) in tally.differences {
        *total.differences.entry(difference).or_default() += count;
    }
}

/// The shortest stream below this one that still shows the difference.
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
            let (ours, difference) = fold(shorter);
            difference.is_none() && !same(&ours, theirs)
        });
        match found {
            Some((shorter, _)) => stream = shorter,
            None => return stream,
        }
    }
}
