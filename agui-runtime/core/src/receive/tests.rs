//! Tests that the fast reader is used.

use super::FrameIntake;
use crate::protocol::{EventType, SAMPLES};

#[test]
fn the_fast_reader_reads_well_formed_frames_of_every_type() {
    let mut intake = FrameIntake::new();
    let mut seen = Vec::new();
    for frame in SAMPLES {
        let event = intake.scan(frame).unwrap_or_else(|| panic!("not read by the fast reader: {frame}"));
        let value = serde_json::from_str(frame).unwrap();
        let careful = FrameIntake::new().value(value, &mut |warning| panic!("{warning}: {frame}"));
        assert_eq!(careful, Ok(Some(event.clone())), "{frame}");
        seen.push(event.event_type());
    }
    seen.sort_unstable();
    assert_eq!(seen, EventType::ALL);
}

#[test]
fn the_fast_reader_gives_up_on_all_other_frames() {
    for frame in [
        "",
        "{}",
        "[]",
        "null",
        r#"{"type":"META"}"#,
        r#"{"type":"STEP_STARTED"}"#,
        r#"{"type":"STEP_STARTED","stepName":"s","x":1}"#,
        r#"{"type":"STEP_STARTED","stepName":"s","stepName":"s"}"#,
        r#"{"type":"STEP_STARTED","stepName":"s","type":"STEP_STARTED"}"#,
        r#"{"type":"STEP_STARTED","stepName":"s","timestamp":1.0}"#,
        r#"{"type":"STEP_STARTED","stepName":"s","timestamp":01}"#,
        r#"{"type":"STEP_STARTED","stepName":"s","timestamp":null}"#,
        r#"{"type":"STEP_STARTED","stepName":"s"} x"#,
        r#"{"type":"STEP_STARTED","stepName":"s",}"#,
        r#"{"type":"STEP_STARTED" "stepName":"s"}"#,
        r#"{"type":"STEP_STARTED","stepName":"s""#,
        r#"{"type":"STEP_STARTED","stepName":"\ud83e"}"#,
        r#"{"type":"STEP_STARTED","stepName":"\x"}"#,
        "{\"type\":\"STEP_STARTED\",\"stepName\":\"a\nb\"}",
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"a","value":1}]}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":tru}}"#,
    ] {
        assert_eq!(FrameIntake::new().scan(frame), None, "{frame}");
    }
}
