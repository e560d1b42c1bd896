//! `vectors/proto.json`: what the official package made of events and bytes.

use agui_runtime::receive::Enforce;
use agui_runtime::wire::proto::{self, Decoded};
use agui_tests::wire::{equal, fixture};
use serde::Deserialize;
use serde_json::Value;

use super::hex;

#[derive(Deserialize)]
struct File {
    encode: Vec<Encode>,
    decode: Vec<Decode>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Encode {
    name: String,
    event: Value,
    message_hex: Option<String>,
    frame_hex: Option<String>,
    decoded: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Decode {
    name: String,
    message_hex: String,
    decoded: Option<Value>,
    #[serde(default)]
    unknown_event: bool,
}

fn file() -> File {
    serde_json::from_value(fixture::json("vectors/proto.json")).unwrap()
}

#[test]
fn events_become_the_same_bytes() {
    let mut compared = 0;
    for case in file().encode {
        // What no type can hold is not written.
        let Ok(Some(event)) = Enforce::new().event(case.event.clone(), &mut |_| {}) else { continue };
        let Some(frame_hex) = case.frame_hex else { continue };
        let mut frame = Vec::new();
        proto::encode(&event, &mut frame).unwrap();
        let message_hex = case.message_hex.unwrap();
        // Three are written without what 1.0 does not know; the official package writes what it was given.
        if ["message unknown role", "run finished unknown outcome"].contains(&case.name.as_str()) {
            continue;
        }
        assert_eq!(hex(&frame), frame_hex, "{}", case.name);
        assert_eq!(hex(&frame[4..]), message_hex, "{}", case.name);
        compared += 1;
    }
    assert!(compared >= 88, "{compared}");
}

#[test]
fn bytes_become_the_same_events() {
    let file = file();
    let of_encode =
        file.encode.into_iter().filter_map(|case| Some((case.name, case.message_hex?, case.decoded, false)));
    let of_decode =
        file.decode.into_iter().map(|case| (case.name, case.message_hex, case.decoded, case.unknown_event));
    let mut read = 0;
    for (name, message, expected, is_unknown) in of_encode.chain(of_decode) {
        match (proto::decode(&super::bytes(&message)), expected) {
            (Ok(Decoded::Event { json, .. }), Some(expected)) => {
                assert!(equal(&json, &expected), "{name}: {json} is not {expected}");
                read += 1;
            }
            (Ok(Decoded::Unknown), None) => assert!(is_unknown, "{name}"),
            (Err(_), None) => assert!(!is_unknown, "{name}"),
            (decoded, expected) => panic!("{name}: {decoded:?}, expected {expected:?}"),
        }
    }
    assert!(read > 100, "{read}");
}
