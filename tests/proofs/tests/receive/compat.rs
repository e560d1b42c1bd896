//! Streams of older producers, and requests to them.

use std::collections::HashMap;

use agui_runtime::receive::{
    ChunkExpander, FrameIntake, FrameWarning, LegacyTranslator, PeerCeiling, ShapeEnforcer, WarningKind,
};
use agui_tests::wire::fixture::{self, CompatVector};
use serde_json::{Value, json};

use agui_tests::wire::equal;

use crate::json::without_made_up_lists;

/// The vector that shows [`TypedRequests`]: a typed input has no nulls to leave out; as JSON it is refused with their place.
///
const NULLS: &str = "request: nulls left out";

fn ceiling(vector: &CompatVector) -> PeerCeiling {
    vector.peer.as_ref().map_or(PeerCeiling::new(1, 0, 0), |peer| peer.parse().unwrap())
}

/// A warning in the words of the vectors.
pub fn in_words(warning: &FrameWarning) -> String {
    let event = warning.event();
    let place = warning.path();
    match warning.kind() {
        WarningKind::UnknownEvent | WarningKind::BeforeSubagents => format!("dropped event {event}"),
        WarningKind::Unknown => format!("stripped {place}"),
        WarningKind::NullIsAbsent => {
            let (parent, member) = place.rsplit_once('/').unwrap();
            let holder = match parent {
                "" => event,
                "/input" => "RunAgentInput",
                tool if tool.starts_with("/input/tools/") => "Tool",
                entry if entry.starts_with("/input/resume/") => "ResumeEntry",
                _ => "image input content",
            };
            format!("convert {holder}.{member}: null")
        }
        WarningKind::Retired { .. } if place.is_empty() => format!("convert {event}"),
        WarningKind::Retired { .. } | WarningKind::Repeated => "convert binary input content".to_owned(),
        WarningKind::Lost => format!("lost {event}{}", place.replace('/', ".")),
        WarningKind::InventedId { .. } => "minted an id".to_owned(),
        WarningKind::OnlyAnId => "lost binary part with only an id".to_owned(),
        WarningKind::NewerProtocol { .. } => "newer protocol".to_owned(),
        WarningKind::UnreadableProtocol { .. } => "unreadable protocol".to_owned(),
        WarningKind::TextOnly { lost } => format!("flattened away {}", lost.join(", ")),
        other => panic!("no vector shows {other:?}"),
    }
}

/// The warnings of an answer in the words of the vectors, except for `BinaryParts`: we warn of each
/// `binary` part at its place; the client of the first in a message, and of parts that cannot be converted.
fn said(warnings: &[FrameWarning], vector: &CompatVector) -> Vec<String> {
    let mut words: Vec<String> = warnings.iter().map(in_words).collect();
    words.dedup_by(|a, b| a == b && a == "convert binary input content");
    let announced = "convert binary input content".to_owned();
    if vector.warnings.contains(&announced) && !words.contains(&announced) {
        words.insert(0, announced);
    }
    words
}

/// Names generated ids as the vectors do.
fn with_random_ids(events: &mut [Value]) {
    let mut names: HashMap<String, String> = HashMap::new();
    for event in events {
        if let Some(Value::String(id)) = event.get_mut("messageId")
            && id.contains("thinking-")
        {
            let next = names.len() + 1;
            *id = names.entry(id.clone()).or_insert_with(|| format!("random-{next}")).clone();
        }
    }
}

#[test]
fn events_of_older_producers_are_read_as_the_official_client_reads_them() {
    let vectors = fixture::compat_vectors();
    assert_eq!(vectors.len(), 45);
    for vector in &vectors {
        let name = &vector.name;
        if vector.request.is_null() {
            continue;
        }
        let mut intake = FrameIntake::new().with_ceiling(ceiling(vector));
        let mut chunks = ChunkExpander::new();
        let (mut warnings, mut delivered, mut refused) = (Vec::new(), Vec::new(), None);
        for event in &vector.events {
            match intake.text(&event.to_string(), &mut |warning| warnings.push(warning)) {
                Ok(None) => {}
                // The vectors show chunks after their expansion.
                Ok(Some(event)) => match chunks.expand(event) {
                    Ok(events) => delivered.extend(events.map(|event| json!(event))),
                    Err(_) => break,
                },
                Err(rejected) => {
                    refused = Some(rejected.code().as_str());
                    break;
                }
            }
        }
        with_random_ids(&mut delivered);
        match vector.error.as_deref() {
            Some("S_MALFORMED") => assert_eq!(refused, Some("S_MALFORMED"), "{name}"),
            // The verifier judges its order later.
            _ => assert_eq!(refused, None, "{name}"),
        }
        if vector.error.is_none() {
            assert_eq!(delivered.len(), vector.delivered.len(), "{name}");
        }
        for (ours, theirs) in delivered.iter().zip(&vector.delivered) {
            let mut theirs = theirs.clone();
            if let Some(input) = theirs.get_mut("input") {
                without_made_up_lists(input, ours.get("input"));
            }
            assert!(equal(ours, &theirs), "{name}: {ours}\nthe client: {theirs}");
        }
        let about_input = !vector.input.is_null();
        if !about_input {
            assert_eq!(said(&warnings, vector), vector.warnings, "{name}");
        }
    }
}

/// A search among all the others for each would take hours.
#[test]
fn a_message_of_very_many_binary_parts_is_read_as_quickly_as_its_size_allows() {
    let parts =
        |kind: &str| (0..100_000).map(|_| json!({ "type": kind, "mimeType": "a", "url": "b" })).collect();
    let modern = json!({ "type": "document", "source": { "type": "url", "value": "b", "mimeType": "a" } });
    for (mirrored, left) in [(false, 100_000), (true, 1)] {
        let mut content: Vec<Value> = parts("binary");
        if mirrored {
            content.push(modern.clone());
        }
        let mut body = json!({ "messages": [{ "id": "u", "role": "user", "content": content }] });
        LegacyTranslator::input(&mut body, &mut |_| {});
        let content = body["messages"][0]["content"].as_array().unwrap();
        assert_eq!(content.len(), left);
        assert!(content.iter().all(|part| *part == modern));
    }
}

#[test]
fn requests_become_what_the_official_client_sends() {
    let mut judged = 0;
    for vector in fixture::compat_vectors().iter().filter(|vector| !vector.input.is_null()) {
        let name = &vector.name;
        let mut input = vector.input.clone();
        for (key, value) in [("threadId", "oracle-thread"), ("runId", "oracle-run")] {
            input.as_object_mut().unwrap().insert(key.to_owned(), value.into());
        }
        let mut warnings = Vec::new();
        let mut warn = |warning| warnings.push(warning);
        if name != NULLS {
            LegacyTranslator::input(&mut input, &mut warn);
        }
        let input = ShapeEnforcer::new().input(input, &mut warn);
        judged += 1;
        if vector.request.is_null() || name == NULLS {
            let rejected = input.expect_err(name);
            assert!(rejected.path().starts_with("/messages/0/"), "{name}: {rejected}");
            continue;
        }
        let mut input = input.unwrap_or_else(|rejected| panic!("{name}: {rejected}"));
        LegacyTranslator::new().with_ceiling(ceiling(vector)).outgoing(&mut input, &mut warn);
        let sent = serde_json::to_value(&input).unwrap();
        let mut request = vector.request.clone();
        // The members that the agent object adds.
        for key in ["state", "forwardedProps"] {
            assert_eq!(request.as_object_mut().unwrap().shift_remove(key), Some(json!({})), "{name}");
        }
        without_made_up_lists(&mut request, Some(&sent));
        assert!(equal(&sent, &request), "{name}: {sent}\nthe client: {request}");
        let mut words: Vec<String> = warnings.iter().map(in_words).collect();
        // The client does not warn of a conversion without loss.
        words.retain(|words| words != "convert binary input content");
        let mut expected = vector.warnings.clone();
        words.sort_unstable();
        expected.sort_unstable();
        assert_eq!(words, expected, "{name}");
    }
    assert_eq!(judged, 10);
}
