//! The official streams, read from JSON to messages: their expectations of a consumer hold.

use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::{Event, RunAgentInput};
use agui_runtime::receive::{PipelineEnd, ReceivePipeline};
use agui_tests::{
    verdict::{Asked, Part, verdict},
    wire::fixture::{Conformance, conformance},
};
use serde_json::{Value, json};

use agui_tests::wire::equal;

/// Objects on the named keys only, arrays in full length, everything else exactly.
fn matches(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| matches(want, got))
        }
        (Value::Object(want), Value::Object(got)) => {
            want.iter().all(|(key, want)| got.get(key).is_some_and(|got| matches(want, got)))
        }
        _ => equal(want, got),
    }
}

fn dig<'v>(root: &'v Value, path: &str) -> Option<&'v Value> {
    root.pointer(&format!("/{}", path.replace('.', "/")))
}

fn all(list: &Value, holds: impl Fn(&str) -> bool) -> bool {
    list.as_array().unwrap().iter().all(|entry| holds(entry.as_str().unwrap()))
}

/// Returns true if an expectation holds for the result.
fn holds(rule: &str, want: &Value, got: &Value) -> bool {
    let events = &got["events"];
    match rule {
        "outcome" => got["accepted"] == json!(want == "completed"),
        // The texts are ours; `outcome` tests that there is one.
        "errorContains" => got["error"].is_string() && got["code"].is_string(),
        "runError" => {
            let errors = got["runErrors"].as_array().unwrap();
            match want.as_str() {
                None => !errors.is_empty(),
                Some(part) => errors.iter().any(|error| error.as_str().unwrap().contains(part)),
            }
        }
        "eventTypes" => *want == got["eventTypes"],
        "eventTypesAbsent" => all(want, |name| !got["eventTypes"].as_array().unwrap().contains(&json!(name))),
        "eventPaths" => want
            .as_object()
            .unwrap()
            .iter()
            .all(|(path, want)| dig(events, path).is_some_and(|got| matches(want, got))),
        "eventAbsentPaths" => all(want, |path| dig(events, path).is_none()),
        "warnings" => !got["warnings"].as_array().unwrap().is_empty(),
        "noWarnings" => want == false || all(&got["warnings"], |said| said.ends_with("which is unknown")),
        "messageCount" => json!(got["messages"].as_array().unwrap().len()) == *want,
        "messages" | "state" | "request" => matches(want, &got[rule]),
        "requestAbsentPaths" => all(want, |path| dig(&got["request"], path).is_none()),
        other => panic!("no rule for {other}"),
    }
}

fn job(stream: &Conformance) -> Value {
    json!({ "stream": stream.stream, "client": stream.client, "input": stream.input })
}

#[test]
fn the_official_streams_are_taken_as_they_say() {
    let streams = conformance("conformance");
    assert_eq!(streams.len(), 48);
    for stream in &streams {
        let got = verdict(&job(stream), &Asked::whole([Part::Pipeline])).unwrap();
        for (rule, want) in stream.expect.as_object().unwrap() {
            let got = &got["pipeline"];
            assert!(holds(rule, want, got), "{}: {rule} {want}\n{got:#}", stream.name);
        }
    }
}

/// The required refusals of the proposed streams, with their codes.
const PROPOSED: [(&str, &str); 5] = [
    ("duplicate-interrupt-id-fatal", "SPEC_DUPLICATE_INTERRUPT"),
    ("run-finished-wrong-run-id-fatal", "SPEC_RUN_ID_MISMATCH"),
    ("run-finished-wrong-thread-id-fatal", "SPEC_THREAD_ID_MISMATCH"),
    ("second-run-on-another-thread-fatal", "SPEC_THREAD_CHANGED"),
    ("truncated-stream-fails-the-run", "SPEC_TRUNCATED"),
];

fn read(stream: &Conformance, strictness: OrderStrictness) -> Result<(PipelineEnd, Value), String> {
    let mut pipeline = ReceivePipeline::with_strictness(strictness);
    for frame in &stream.stream {
        pipeline.push_text(&frame.to_string(), &mut |_| {});
        pipeline.drain(|_, _, _| {}).map_err(|error| error.code().to_owned())?;
    }
    let end = pipeline.end().map_err(|error| error.code().to_owned())?;
    Ok((end, json!(pipeline.reducer().messages())))
}

#[test]
fn a_client_that_opts_in_refuses_the_proposed_streams() {
    let streams = conformance("conformance/proposed");
    assert_eq!(streams.len(), 5);
    for stream in &streams {
        let (_, code) = PROPOSED.iter().find(|(name, _)| *name == stream.name).unwrap();
        assert_eq!(stream.expect["outcome"], "failed");
        assert_eq!(read(stream, OrderStrictness::Spec).unwrap_err(), *code, "{}", stream.name);
        let (end, _) = read(stream, OrderStrictness::Client).unwrap();
        let truncated = stream.name.starts_with("truncated");
        assert_eq!(
            end,
            if truncated { PipelineEnd::Truncated } else { PipelineEnd::Complete },
            "{}",
            stream.name
        );
    }
}

/// At the level of the specification the official streams end as they say, except for one that pins the client's
/// deviation from it.
#[test]
fn the_official_streams_are_taken_at_the_level_of_the_specification() {
    for stream in conformance("conformance") {
        let fails = stream.expect["outcome"] == "failed";
        let got = read(&stream, OrderStrictness::Spec);
        if stream.name == "unknown-enum-value-role-fatal" {
            assert!(fails && got.is_ok(), "{}: {got:?}", stream.name);
            continue;
        }
        assert_eq!(got.is_err(), fails, "{}: {got:?}", stream.name);
    }
}

#[test]
fn a_request_is_what_the_first_run_must_carry() {
    let frame = r#"{"type":"RUN_STARTED","threadId":"t","runId":"other"}"#;
    let read = |strictness| {
        let input = RunAgentInput::new("t", "r", []);
        let mut pipeline = ReceivePipeline::with_strictness(strictness).for_input(&input);
        pipeline.push_text(frame, &mut |_| {});
        pipeline.drain(|_, _, _| {}).map_err(|error| error.code())
    };
    assert_eq!(read(OrderStrictness::Client), Ok(()));
    assert_eq!(read(OrderStrictness::Spec), Err("SPEC_NOT_THE_REQUEST"));
}

#[test]
fn behind_a_refused_event_there_is_nothing() {
    let mut pipeline = ReceivePipeline::new();
    let types = |events: &[&str], pipeline: &mut ReceivePipeline| {
        let mut seen = Vec::new();
        for frame in events {
            pipeline.push_text(frame, &mut |_| {});
            let drained = pipeline.drain(|event: &Event, _, _| seen.push(event.event_type().to_string()));
            if let Err(error) = drained {
                seen.push(format!("{}@{}", error.code(), error.at()));
            }
        }
        seen
    };
    let frames = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"UNHEARD_OF"}"#,
        r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"x"}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":1}"#,
    ];
    assert_eq!(types(&frames, &mut pipeline), ["RUN_STARTED", "C_TEXT_NO_ID@2", "C_TEXT_NO_ID@2"]);
    assert_eq!(pipeline.reducer().state(), &json!({}));
    assert_eq!(pipeline.end().unwrap_err().code(), "C_TEXT_NO_ID");
}
