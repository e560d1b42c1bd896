//! The fast reader and the careful one have the same results.

use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::Event;
use agui_runtime::receive::{RejectCode, RejectedFrame};
use agui_tests::intake::{self, read, read_carefully};
use serde_json::{Value, json};

use crate::mutate::{Dice, foreign_events, legal_events, mutate, spelled};
use crate::times;

fn agree(text: &str) -> Result<Option<Event>, RejectedFrame> {
    for strictness in [OrderStrictness::Producer, OrderStrictness::Spec] {
        assert_eq!(read_carefully(text, strictness), Some(read(text, strictness)), "{text}");
    }
    let came = read(text, OrderStrictness::Client);
    assert_eq!(read_carefully(text, OrderStrictness::Client).as_ref(), Some(&came), "{text}");
    came.0
}

#[test]
fn legal_events_come_through_as_they_are() {
    let mut dice = Dice::new(1);
    for event in legal_events(1, 24 * times()) {
        let text = serde_json::to_string(&event).unwrap();
        let (result, warnings) = read(&text, OrderStrictness::Producer);
        assert_eq!(result.as_ref(), Ok(&Some(event)), "{text}");
        let about_version = warnings.iter().all(|warning| warning.path() == "/protocolVersion");
        assert!(about_version, "{text}: {warnings:?}");
        assert_eq!(read_carefully(&text, OrderStrictness::Producer), Some((result, warnings)), "{text}");
        agree(&spelled(&serde_json::from_str(&text).unwrap(), &mut dice)).ok();
    }
}

#[test]
fn whatever_is_done_to_events_both_ways_agree() {
    let mut dice = Dice::new(2);
    let mut bases: Vec<Value> =
        legal_events(2, 12).iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    bases.extend(foreign_events());
    let [mut taken, mut dropped, mut refused] = [0; 3];
    for _ in 0..8 * times() {
        for base in &bases {
            let mut event = base.clone();
            mutate(&mut event, &mut dice);
            let text = spelled(&event, &mut dice);
            match agree(&text) {
                Ok(Some(_)) => taken += 1,
                Ok(None) => dropped += 1,
                Err(_) => refused += 1,
            }
        }
    }
    println!("{taken} taken, {dropped} dropped, {refused} refused");
    assert!(taken > 500 && dropped > 50 && refused > 500, "{taken} {dropped} {refused}");
}

#[test]
fn no_bytes_make_it_panic() {
    let mut dice = Dice::new(3);
    let mut still_json = 0;
    for event in legal_events(3, 16 * times()) {
        let text = serde_json::to_string(&event).unwrap();
        for _ in 0..8 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + dice.below(3) {
                let Some(last) = bytes.len().checked_sub(1) else { break };
                let at = dice.below(last + 1);
                match dice.below(4) {
                    0 => bytes[at] = *dice.pick(b"{}[]\",:\\u0e-+.tfn \n\x00\x7f"),
                    1 => _ = bytes.remove(at),
                    2 => bytes.truncate(at + 1),
                    _ => bytes.insert(at, *dice.pick(b"{}[]\",:\\u0e-+.tfn \n\x00\x7f")),
                }
            }
            still_json += usize::from(intake::fuzz(&bytes));
        }
    }
    assert!(still_json > 500, "{still_json}");
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{open}{close}}}"#)
    };
    for depth in 1..140 {
        let came = read(&nested(depth), OrderStrictness::Client).0;
        if depth < 127 {
            assert!(agree(&nested(depth)).is_ok(), "{depth}");
        } else {
            assert_eq!(came.unwrap_err().code(), RejectCode::NotJson, "{depth}");
        }
    }
    let came = read(&nested(1_000_000), OrderStrictness::Client).0;
    assert_eq!(came.unwrap_err().code(), RejectCode::NotJson);
    let unclosed = r#"{"type":"STATE_SNAPSHOT","snapshot":"#.to_owned() + &"[".repeat(1_000_000);
    assert_eq!(read(&unclosed, OrderStrictness::Client).0.unwrap_err().code(), RejectCode::NotJson);
}

#[test]
fn half_a_character_is_replaced_and_reported() {
    let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83e"}"#;
    let (result, warnings) = read(text, OrderStrictness::Client);
    let event = serde_json::to_value(result.unwrap()).unwrap();
    assert_eq!(event, json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a\u{fffd}" }));
    assert_eq!(warnings.len(), 1);
    assert_eq!(
        warnings[0].to_string(),
        "TEXT_MESSAGE_CONTENT: it contains half a character, which is read as U+FFFD"
    );
}

/// The fast writer, which the macros make from the same list of members as serde's.
#[test]
fn printed_events_equal_those_of_serde() {
    let mut events = legal_events(5, 24 * times());
    for document in agui_tests::wire::fixture::schema_cases().into_iter().map(|case| case.document) {
        events.extend(serde_json::from_value::<Event>(document));
    }
    let mut out = Vec::new();
    for event in &events {
        out.clear();
        agui_runtime::wire::sse::encode(event, &mut out);
        let expected = format!("data: {}\n\n", serde_json::to_string(event).unwrap());
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}
