//! `vectors/proto.json`: the official package's results for events and bytes.

use agui_runtime::receive::{FrameIntake, ShapeEnforcer};
use agui_runtime::wire::proto::{self, Decoded};
use agui_tests::wire::{equal, fixture};
use serde::Deserialize;
use serde_json::Value;

use super::{bytes, hex};

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
    let [mut same, mut less] = [0; 2];
    for case in file().encode {
        let mut warnings = 0;
        // A value that no type can hold is not written.
        let event = ShapeEnforcer::new().event(case.event, &mut |_| warnings += 1);
        let (Ok(Some(event)), Some(expected)) = (event, case.frame_hex) else { continue };
        // The official writer has its own form of a retired part; ours has no type for one.
        if expected.contains(&hex(b"legacyBinary")) {
            continue;
        }
        let mut frame = Vec::new();
        proto::encode(&event, &mut frame).unwrap();
        if warnings == 0 {
            assert_eq!(hex(&frame), expected, "{}", case.name);
            same += 1;
        } else {
            // Some parts that 1.0 does not know have a place on this wire; both are read as the same.
            let read = |frame: &[u8]| FrameIntake::new().proto(&frame[4..], &mut |_| {}).unwrap();
            assert_eq!(read(&frame), read(&bytes(&expected)), "{}", case.name);
            less += 1;
        }
    }
    assert!(same >= 80 && less >= 4, "{same} {less}");
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
        match (proto::decode(&bytes(&message)), expected) {
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
