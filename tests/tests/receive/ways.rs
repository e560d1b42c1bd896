//! The fast way in and the careful one come to the same.

use agui_runtime::order::Strictness;
use agui_runtime::protocol::Event;
use agui_runtime::receive::{Intake, RejectCode, Rejected, Warning};
use serde_json::{Value, json};

use crate::mutate::{Dice, foreign_events, legal_events, mutate, spelled};
use crate::times;

type Came = (Result<Option<Event>, Rejected>, Vec<Warning>);

fn fast(text: &str, strictness: Strictness) -> Came {
    let mut warnings = Vec::new();
    let result = Intake::new().with_strictness(strictness).text(text, &mut |warning| warnings.push(warning));
    (result, warnings)
}

/// By way of a JSON value, which is always careful. `None` if the text is none.
fn careful(text: &str, strictness: Strictness) -> Option<Came> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut warnings = Vec::new();
    let result =
        Intake::new().with_strictness(strictness).value(value, &mut |warning| warnings.push(warning));
    Some((result, warnings))
}

fn agree(text: &str) -> Result<Option<Event>, Rejected> {
    for strictness in [Strictness::Producer, Strictness::Spec] {
        assert_eq!(careful(text, strictness), Some(fast(text, strictness)), "{text}");
    }
    let came = fast(text, Strictness::Client);
    assert_eq!(careful(text, Strictness::Client).as_ref(), Some(&came), "{text}");
    came.0
}

#[test]
fn legal_events_come_through_as_they_are() {
    let mut dice = Dice::new(1);
    for event in legal_events(1, 24 * times()) {
        let text = serde_json::to_string(&event).unwrap();
        let (result, warnings) = fast(&text, Strictness::Producer);
        assert_eq!(result.as_ref(), Ok(&Some(event)), "{text}");
        let about_version = warnings.iter().all(|warning| warning.path() == "/protocolVersion");
        assert!(about_version, "{text}: {warnings:?}");
        assert_eq!(careful(&text, Strictness::Producer), Some((result, warnings)), "{text}");
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
            let text = String::from_utf8_lossy(&bytes);
            match careful(&text, Strictness::Client) {
                Some(came) => {
                    assert_eq!(fast(&text, Strictness::Client), came, "{text}");
                    still_json += 1;
                }
                None => {
                    let (result, _) = fast(&text, Strictness::Client);
                    // Half a character is the one thing that is mended.
                    if !text.contains("\\u") {
                        assert_eq!(result.unwrap_err().code(), RejectCode::NotJson, "{text}");
                    }
                }
            }
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
        let came = fast(&nested(depth), Strictness::Client).0;
        if depth < 127 {
            assert!(agree(&nested(depth)).is_ok(), "{depth}");
        } else {
            assert_eq!(came.unwrap_err().code(), RejectCode::NotJson, "{depth}");
        }
    }
    let came = fast(&nested(1_000_000), Strictness::Client).0;
    assert_eq!(came.unwrap_err().code(), RejectCode::NotJson);
    let unclosed = r#"{"type":"STATE_SNAPSHOT","snapshot":"#.to_owned() + &"[".repeat(1_000_000);
    assert_eq!(fast(&unclosed, Strictness::Client).0.unwrap_err().code(), RejectCode::NotJson);
}

#[test]
fn half_a_character_is_replaced_and_said() {
    let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83e"}"#;
    let (result, warnings) = fast(text, Strictness::Client);
    let event = serde_json::to_value(result.unwrap()).unwrap();
    assert_eq!(event, json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "a\u{fffd}" }));
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].to_string(), "TEXT_MESSAGE_CONTENT: it holds half a character, read as U+FFFD");
}
