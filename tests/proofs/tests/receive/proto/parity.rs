//! The official package beside ours: events written by both and read by both, and bytes that are nearly right.

use std::collections::BTreeSet;

use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::{Event, EventType};
use agui_runtime::receive::{FrameIntake, FrameWarning};
use agui_runtime::wire::proto::{self, DecodeFault, Decoded};
use agui_tests::need;
use agui_tests::outside::Node;
use agui_tests::wire::equal;
use serde_json::{Value, json};

use super::damage::{damage, damaged};
use super::{bytes, hex, message};
use crate::differential::remove_types;
use crate::mutate::{Dice, legal_events};
use crate::{say, times};

/// The official package's result for the bytes or the event of each job.
fn official(node: &Node, jobs: &[Value]) -> Vec<Value> {
    node.oracle("proto.mjs", &[], jobs)
}

/// `PrototypeMembers`: in JavaScript this name is not a member.
fn has_proto_key(event: &impl serde::Serialize) -> bool {
    serde_json::to_string(event).unwrap().contains("\"__proto__\":")
}

#[test]
fn events_of_all_types_go_both_ways() {
    let node = need!(Node::ready());
    let mut events = legal_events(51, 12 * times());
    events.retain(|event| !has_proto_key(event));
    let types: BTreeSet<_> = events.iter().map(|event| event.event_type().as_str()).collect();
    assert_eq!(types.len(), EventType::ALL.len(), "{types:?}");
    let written: Vec<Value> =
        official(&node, &events.iter().map(|event| serde_json::to_value(event).unwrap()).collect::<Vec<_>>());
    let ours: Vec<Vec<u8>> = events.iter().map(message).collect();
    let read = official(&node, &ours.iter().map(|bytes| json!({ "hex": hex(bytes) })).collect::<Vec<_>>());
    let mut same_bytes = 0;
    // The official package has no types of encrypted values: it skips them, and writes none.
    let untyped: Vec<Event> =
        events.iter().map(|event| serde_json::from_value(without_types(json!(event))).unwrap()).collect();
    let typed = events.iter().zip(&untyped).filter(|(event, untyped)| event != untyped).count();
    assert!(typed > 5, "{typed}");
    for (((event, ours), written), read) in untyped.iter().zip(&ours).zip(&written).zip(&read) {
        let json = without_types(careful(ours));
        assert!(equal(&json, &read["event"]), "ours, read by both: {event:?}\n{json}\n{read}");
        let theirs = bytes(written["hex"].as_str().unwrap());
        let json = careful(&theirs);
        assert!(equal(&json, &written["event"]), "theirs, read by both: {event:?}\n{json}\n{written}");
        assert!(equal(&read["event"], &written["event"]), "ours and theirs: {event:?}\n{read}\n{written}");
        let ours = message(event);
        // Maps may be written in any order.
        assert_eq!(theirs.len(), ours.len(), "{event:?}");
        same_bytes += usize::from(theirs == ours);
    }
    say(&format!("{} events, {same_bytes} of them the same bytes as the official package's", events.len()));
    assert!(same_bytes * 10 > events.len() * 9, "{same_bytes} of {}", events.len());
}

fn without_types(mut json: Value) -> Value {
    remove_types(&mut json);
    json
}

/// The JSON of bytes that are an event.
fn careful(bytes: &[u8]) -> Value {
    match proto::decode(bytes) {
        Ok(Decoded::Event { json, .. }) => json,
        other => panic!("{}: {other:?}", hex(bytes)),
    }
}

#[test]
fn bytes_that_are_nearly_right_come_to_the_same() {
    let node = need!(Node::ready());
    let [mut taken, mut unknown, mut refused, mut stricter] = [0; 4];
    for round in 0..times() {
        let all = damaged(61 + round as u64, 16);
        let jobs: Vec<Value> = all.iter().map(|bytes| json!({ "hex": hex(bytes) })).collect();
        for (bytes, official) in all.iter().zip(official(&node, &jobs)) {
            let ours = proto::decode(bytes);
            let context = || format!("{}\nours: {ours:?}\nofficial: {official}", hex(bytes));
            match &ours {
                Ok(Decoded::Event { json, lost }) => {
                    if has_proto_key(json) {
                        continue;
                    }
                    assert!(equal(&without_types(json.clone()), &official["event"]), "{}", context());
                    assert_eq!(official["warnings"].as_array().unwrap().len(), lost.len(), "{}", context());
                    taken += 1;
                }
                Ok(Decoded::Unknown) => {
                    assert_eq!(official["unknownEvent"], true, "{}", context());
                    unknown += 1;
                }
                Err(_) if official["error"].is_string() => {
                    assert_ne!(official["unknownEvent"], true, "{}", context());
                    refused += 1;
                }
                // `FieldsWithinMessages`.
                Err(error) => {
                    assert!(
                        matches!(error.fault(), DecodeFault::Truncated | DecodeFault::Key),
                        "{}",
                        context()
                    );
                    stricter += 1;
                }
            }
        }
    }
    say(&format!(
        "damaged bytes: {taken} taken, {unknown} of the future, {refused} refused, as the official client does; \
         {stricter} refused by us alone"
    ));
    assert!(taken > 1000 && unknown > 10 && refused > 1000 && stricter * 50 < taken, "{stricter}");
}

/// The result of a message: by the ordinary reader, and by way of its JSON.
type Came = (Result<Option<Event>, agui_runtime::receive::RejectedFrame>, Vec<FrameWarning>);

fn both_ways(bytes: &[u8], strictness: OrderStrictness) -> Option<(Came, Came)> {
    let intake = || FrameIntake::new().with_strictness(strictness);
    let mut warnings = Vec::new();
    let event = intake().proto(bytes, &mut |warning| warnings.push(warning));
    let came = (event, warnings);
    let Ok(Decoded::Event { json, lost }) = proto::decode(bytes) else {
        assert!(!matches!(came.0, Ok(Some(_))), "{}: {came:?}", hex(bytes));
        return None;
    };
    if !lost.is_empty() {
        return None;
    }
    let mut warnings = Vec::new();
    let event = intake().value(json, &mut |warning| warnings.push(warning));
    Some((came, (event, warnings)))
}

#[test]
fn the_fast_way_in_and_the_careful_one_agree() {
    let mut dice = Dice::new(71);
    let legal: Vec<Vec<u8>> = legal_events(71, 8 * times()).iter().map(message).collect();
    let mut compared = 0;
    for bytes in &legal {
        for strictness in [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer] {
            let (came, careful) = both_ways(bytes, strictness).unwrap();
            assert_eq!(came, careful, "{}", hex(bytes));
            assert!(matches!(came.0, Ok(Some(_))), "{}: {came:?}", hex(bytes));
        }
        for _ in 0..12 {
            let mut bytes = bytes.clone();
            damage(&mut bytes, &legal, &mut dice);
            if let Some((came, careful)) = both_ways(&bytes, OrderStrictness::Client) {
                assert_eq!(came, careful, "{}", hex(&bytes));
                compared += 1;
            }
        }
    }
    assert!(compared > 600, "{compared}");
}
