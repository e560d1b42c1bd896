//! The judge says of a stream what the official client says.

use std::{
    collections::HashMap,
    io::Write as _,
    process::{Command, Stdio},
};

use agui_runtime::protocol::Message;
use agui_tests::wire::equal;
use agui_tests::{
    need,
    outside::Node,
    verdict::verdict,
    wire::fixture::{compat_vectors, conformance},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{json::without_made_up_lists, say, vectors::vectors};

const PARTS: [&str; 5] = ["verify", "enforce", "expand", "check", "pipeline"];

/// What is compared of a part, if it is there. Sentences are each client's own.
const SAID: [&str; 13] = [
    "accepted",
    "code",
    "at",
    "eventTypes",
    "events",
    "messages",
    "state",
    "runErrors",
    "finished",
    "result",
    "newMessageIds",
    "pendingInterrupts",
    "request",
];

#[derive(Debug, Deserialize)]
struct Verify {
    name: String,
    events: Vec<Value>,
}

/// Streams of all fixtures.
fn jobs() -> Vec<Value> {
    let official = conformance("conformance").into_iter().chain(conformance("conformance/proposed"));
    let mut jobs: Vec<Value> = official
        .map(|stream| {
            json!({ "name": stream.name, "stream": stream.stream, "client": stream.client, "input": stream.input })
        })
        .collect();
    jobs.extend(compat_vectors().into_iter().map(|vector| {
        let client = vector.peer.map_or(json!({}), |peer| json!({ "maxProtocolVersion": peer }));
        json!({ "name": vector.name, "stream": vector.events, "client": client, "input": vector.input })
    }));
    jobs.extend(
        vectors::<Verify>("verify.json")
            .into_iter()
            .map(|vector| json!({ "name": vector.name, "stream": vector.events })),
    );
    jobs
}

/// Ids that a client made up are called after the order they appear in.
fn named(value: &Value, names: &mut HashMap<String, usize>) -> Value {
    let made_up = |text: &str| {
        let is_uuid = text.len() == 36 && text.bytes().filter(|byte| *byte == b'-').count() == 4;
        is_uuid || text.contains("thinking-")
    };
    match value {
        Value::String(text) if made_up(text) => {
            let next = names.len();
            json!(format!("made-up-{}", names.entry(text.clone()).or_insert(next)))
        }
        Value::Array(list) => list.iter().map(|entry| named(entry, names)).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, entry)| (key.clone(), named(entry, names))).collect()
        }
        other => other.clone(),
    }
}

/// Without the empty lists that the official client makes up in the input a run echoes.
fn plain(events: &mut Value, ours: &Value) {
    for (at, event) in events.as_array_mut().into_iter().flatten().enumerate() {
        if let Some(input) = event.get_mut("input") {
            without_made_up_lists(input, ours[at].get("input"));
        }
    }
}

/// Where the two verdicts on a job differ.
fn different(ours: &Value, theirs: &Value) -> Vec<String> {
    let mut different = Vec::new();
    for part in PARTS {
        for key in SAID {
            let (ours, theirs) = (&ours[part], &theirs[part]);
            let mut theirs = theirs.get(key).cloned().unwrap_or_default();
            let ours = ours.get(key).cloned().unwrap_or_default();
            if key == "events" {
                plain(&mut theirs, &ours);
            }
            let (ours, theirs) = (named(&ours, &mut HashMap::new()), named(&theirs, &mut HashMap::new()));
            if !equal(&ours, &theirs) {
                different.push(format!("{part}.{key}: ours {ours}, theirs {theirs}"));
            }
        }
        // What cannot be sent is refused, and here said no more of.
        if part == "pipeline" && theirs[part].get("request").is_none() {
            continue;
        }
        let (ours, theirs) = (loud(&ours[part]["warnings"]), loud(&theirs[part]["warnings"]));
        if ours.is_empty() != theirs.is_empty() {
            different.push(format!("{part}.warnings: ours {ours:?}, theirs {theirs:?}"));
        }
    }
    different
}

/// The warnings, but for those the official client should give and does not: `Difference::WarningsSaid`.
fn loud(warnings: &Value) -> Vec<&str> {
    let silent = |text: &&str| {
        text.ends_with("which is not there")
            || (text.starts_with("ACTIVITY_DELTA of") && text.ends_with("there is no such message"))
    };
    let warnings = warnings.as_array().into_iter().flatten().filter_map(Value::as_str);
    warnings.filter(|text| !silent(text)).collect()
}

/// What the official stages alone do with material that enforcement takes away before them: they carry it along, and look at no more of
/// an event than they need.
fn as_given(part: &str) -> bool {
    part.starts_with("verify.events") || part.starts_with("expand.")
}

#[test]
fn the_judge_says_what_the_official_client_says() {
    let node = need!(Node::ready());
    let jobs = jobs();
    let theirs = node.verify(&["--only", &PARTS.join(",")], &jobs);
    let mut wrong = Vec::new();
    for (job, theirs) in jobs.iter().zip(&theirs) {
        let ours = verdict(job, &PARTS, false).unwrap();
        let typed = theirs["enforce"]["accepted"] == true
            && theirs["enforce"]["warnings"] == json!([])
            && !job.to_string().contains("null");
        let mut differences = different(&ours, theirs);
        if !typed {
            differences.retain(|difference| !as_given(difference));
        }
        let history = job["input"].get("messages").cloned().unwrap_or(json!([]));
        if Vec::<Message>::deserialize(&history).is_ok_and(|typed| json!(typed) != history)
            || Vec::<Message>::deserialize(&history).is_err()
        {
            differences.retain(|difference| !difference.starts_with("pipeline.messages"));
        }
        wrong.extend(differences.into_iter().map(|difference| format!("{}: {difference}", job["name"])));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    say(&format!("judge: {} streams, {} parts each, no difference", jobs.len(), PARTS.len()));
}

#[test]
fn the_program_answers_line_by_line() {
    let jobs = jobs();
    let mut input: String = jobs.iter().map(|job| format!("{job}\n")).collect();
    input.push_str("\nthis is no job\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(["--terse"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let lines: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), jobs.len() + 1);
    for (index, (job, line)) in jobs.iter().zip(&lines).enumerate() {
        let mut expected = verdict(job, &["verify", "check", "pipeline"], true).unwrap();
        expected["line"] = json!(index + 1);
        assert!(equal(line, &expected), "{line}\n{expected}");
    }
    let last = lines.last().unwrap();
    assert_eq!(last["line"], json!(jobs.len() + 2));
    assert!(last["failure"].is_string());
}

#[test]
fn a_part_that_is_none_is_an_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_judge")).args(["--only", "verify,taste"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown part 'taste'"));
}
