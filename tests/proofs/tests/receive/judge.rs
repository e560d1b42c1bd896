//! The judge agrees with the official client about a stream.

use std::{
    collections::HashMap,
    io::Write as _,
    process::{Command, Stdio},
};

use agui_runtime::protocol::{Event, Message};
use agui_tests::wire::equal;
use agui_tests::{
    need,
    outside::Node,
    verdict::{Asked, Part, Wire, verdict},
    wire::fixture::{compat_vectors, conformance},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{enforce::same_places, json::without_made_up_lists, say, vectors::vectors};

/// The compared members of a part, if present. Texts are each client's own.
const SAID: [&str; 14] = [
    "accepted",
    "code",
    "paths",
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

/// Generated ids are named in the order they appear.
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

/// Without the empty lists that the official client adds to an echoed input.
fn plain(events: &mut Value, ours: &Value) {
    for (at, event) in events.as_array_mut().into_iter().flatten().enumerate() {
        if let Some(input) = event.get_mut("input") {
            without_made_up_lists(input, ours[at].get("input"));
        }
    }
}

/// The places where the two verdicts on a job differ.
fn different(job: &Value, ours: &Value, theirs: &Value) -> Vec<String> {
    let mut different = Vec::new();
    let compare = |different: &mut Vec<String>, what: String, ours: &Value, theirs: &Value| {
        let is_equal = if what.ends_with(".paths") {
            same_places(&texts(ours), &texts(theirs))
        } else {
            equal(&named(ours, &mut HashMap::new()), &named(theirs, &mut HashMap::new()))
        };
        if !is_equal {
            different.push(format!("{}: {what}: ours {ours}, theirs {theirs}", job["name"]));
        }
    };
    for part in Part::ALL.map(Part::name) {
        let Some((ours, theirs)) = ours.get(part).zip(theirs.get(part)) else { continue };
        if part == "compact" {
            let mut theirs = theirs.clone();
            plain(&mut theirs, ours);
            compare(&mut different, part.to_owned(), ours, &theirs);
            continue;
        }
        for key in SAID {
            let mut theirs = theirs.get(key).cloned().unwrap_or_default();
            let ours = ours.get(key).cloned().unwrap_or_default();
            if key == "events" {
                plain(&mut theirs, &ours);
            }
            compare(&mut different, format!("{part}.{key}"), &ours, &theirs);
        }
        // A job that cannot be sent is refused, without further details here.
        if part == "pipeline" && theirs.get("request").is_none() {
            continue;
        }
        let (ours, theirs) = (loud(&ours["warnings"]), loud(&theirs["warnings"]));
        if ours.is_empty() != theirs.is_empty() {
            different.push(format!("{}: {part}.warnings: ours {ours:?}, theirs {theirs:?}", job["name"]));
        }
    }
    // `TypedHistory`: messages of an input have no place for parts that are not of 1.0.
    let history = job["input"].get("messages").cloned().unwrap_or(json!([]));
    if !Vec::<Message>::deserialize(&history).is_ok_and(|typed| json!(typed) == history) {
        different.retain(|difference| !difference.contains(": pipeline.messages: "));
    }
    different
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The warnings, except for those that the official client should give and does not: `WarningsSaid`.
fn loud(warnings: &Value) -> Vec<&str> {
    let silent = |text: &&str| {
        text.ends_with("which is unknown")
            || (text.starts_with("ACTIVITY_DELTA of") && text.ends_with("no message has this id"))
    };
    let warnings = warnings.as_array().into_iter().flatten().filter_map(Value::as_str);
    warnings.filter(|text| !silent(text)).collect()
}

/// `TypedStages`: the official stages alone keep the parts that enforcement removes, and read no more of an
/// event than they need.
fn as_given(difference: &str, ours: &Value) -> bool {
    let is_untyped = ours["expand"]["code"] == "S_MALFORMED";
    let part = if is_untyped { ": expand." } else { ": expand.events" };
    difference.contains(": verify.events") || difference.contains(part)
}

#[test]
fn the_judge_says_what_the_official_client_says() {
    let node = need!(Node::ready());
    let jobs = jobs();
    let theirs = node.verify(&["--only", &Part::ALL.map(Part::name).join(",")], &jobs);
    let (mut wrong, mut compacted) = (Vec::new(), 0);
    for (job, theirs) in jobs.iter().zip(&theirs) {
        let ours = verdict(job, &Asked::whole(Part::ALL)).unwrap();
        let typed = theirs["enforce"]["accepted"] == true
            && theirs["enforce"]["warnings"] == json!([])
            && !job.to_string().contains("null");
        let mut differences = different(job, &ours, theirs);
        if typed {
            assert!(ours["compact"].is_array() && theirs["compact"].is_array(), "{job}");
            compacted += 1;
        } else {
            differences.retain(|difference| !as_given(difference, &ours));
        }
        wrong.extend(differences);
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compacted > 140, "{compacted}");
    say(&format!(
        "judge: {} streams, {} parts each, {compacted} compacted, no difference",
        jobs.len(),
        Part::ALL.len()
    ));
}

#[test]
fn verdicts_are_the_same_over_the_binary_transport() {
    let node = need!(Node::ready());
    let jobs = jobs();
    let theirs = node.verify(&["--only", "pipeline", "--wire", "proto"], &jobs);
    let asked = Asked { wire: Wire::Proto, ..Asked::whole([Part::Pipeline]) };
    let (mut wrong, mut unsayable) = (Vec::new(), 0);
    for (job, theirs) in jobs.iter().zip(&theirs) {
        let ours = verdict(job, &asked).unwrap();
        wrong.extend(different(job, &ours, theirs));
        let typed = job["stream"].as_array().unwrap().iter().all(|event| Event::deserialize(event).is_ok());
        assert_eq!(typed, ours.get("failure").is_none(), "{job} {ours}");
        unsayable += usize::from(!typed);
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unsayable < jobs.len() / 4, "{unsayable} of {}", jobs.len());
    say(&format!("judge: {} streams over the binary transport, no difference", jobs.len() - unsayable));
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
    let asked = Asked::parse(["--terse".to_owned()]).unwrap();
    for (index, (job, line)) in jobs.iter().zip(&lines).enumerate() {
        let mut expected = verdict(job, &asked).unwrap();
        expected["line"] = json!(index + 1);
        assert!(equal(line, &expected), "{line}\n{expected}");
    }
    let last = lines.last().unwrap();
    assert_eq!(last["line"], json!(jobs.len() + 2));
    assert!(last["failure"].is_string());
}

#[test]
fn an_unknown_argument_is_an_error() {
    let rows: [(&[&str], &str); 6] = [
        (&["--only", "verify,taste"], "unknown part 'taste', expected one of verify, enforce"),
        (&["--only"], "--only needs a value"),
        (&["--wire", "pigeon"], "unknown wire 'pigeon', expected sse or proto"),
        (&["--wire=proto"], "unknown argument '--wire=proto', expected --only, --wire or --terse"),
        (&["--terse", "--twice"], "unknown argument '--twice'"),
        (&["jobs.jsonl"], "unknown argument 'jobs.jsonl'"),
    ];
    for (arguments, complaint) in rows {
        let output = Command::new(env!("CARGO_BIN_EXE_judge")).args(arguments).output().unwrap();
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with(complaint), "{arguments:?}: {said}");
    }
}
