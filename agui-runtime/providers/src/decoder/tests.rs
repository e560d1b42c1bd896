//! Transcripts from real servers, cut at every byte or extended with unknown members.

use serde_json::{Map, Value};

use super::*;
use crate::unread::UnreadMembers;

const TRANSCRIPTS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/providers/transcripts.jsonl"));

/// A recorded response body.
struct TranscriptBody {
    case: String,
    dialect: ProviderDialect,
    content_type: String,
    bytes: Vec<u8>,
}

fn bodies() -> Vec<TranscriptBody> {
    let mut bodies = Vec::new();
    for line in TRANSCRIPTS.lines() {
        let transcript: Value = serde_json::from_str(line).unwrap();
        let dialect = match transcript["dialect"].as_str().unwrap() {
            "openai-responses" => ProviderDialect::OpenAiResponses,
            "anthropic" => ProviderDialect::Anthropic,
            "gemini" => ProviderDialect::Gemini,
            // An address stands for a server that imitates OpenAI.
            name if name == "openai-chat" || name.contains("://") => ProviderDialect::OpenAiChat,
            unknown => panic!("{unknown}"),
        };
        for answer in transcript["answers"].as_array().unwrap() {
            if answer["status"] == 200 {
                bodies.push(TranscriptBody {
                    case: transcript["case"].as_str().unwrap().to_owned(),
                    dialect,
                    content_type: answer["headers"]["content-type"].as_str().unwrap().to_owned(),
                    bytes: answer["body"].as_str().unwrap().as_bytes().to_vec(),
                });
            }
        }
    }
    bodies
}

/// The decoded transcript: text, reasoning, values that go back, calls; the error; unread members.
struct TranscriptOutcome {
    said: Vec<String>,
    error: Option<String>,
    unread: Vec<String>,
}

fn read(dialect: ProviderDialect, content_type: &str, pieces: &[&[u8]]) -> TranscriptOutcome {
    let context =
        ReplyContext { tools: vec!["order".to_owned()], think_tags: true, ..ReplyContext::default() };
    let mut decoder = ResponseDecoder::new(dialect, content_type, context);
    let pushed = pieces.iter().try_for_each(|piece| decoder.push(piece));
    let error = pushed.and_then(|()| decoder.finish()).err().map(|error| error.to_string());
    let (mut text, mut thought, mut other) = (String::new(), String::new(), String::new());
    let mut calls: Vec<String> = Vec::new();
    for delta in decoder.take() {
        match delta {
            ReplyDelta::Text(more) => text.push_str(&more),
            ReplyDelta::Reasoning(more) => thought.push_str(&more),
            ReplyDelta::EncryptedReasoning(more) => other.push_str(&more.value),
            ReplyDelta::Call(call) => {
                let at = usize::try_from(call.index).unwrap();
                calls.resize(calls.len().max(at + 1), String::new());
                calls[at].push_str(&call.tool.map(|tool| format!("{tool} ")).unwrap_or_default());
                calls[at].push_str(&call.id.map(|id| format!("{id} ")).unwrap_or_default());
                calls[at].push_str(&call.arguments);
                other.push_str(&call.encrypted.map(|encrypted| encrypted.value).unwrap_or_default());
            }
            ReplyDelta::Usage(_) => {}
            ReplyDelta::End(reason) => other.push_str(&format!(" {reason:?}")),
            unknown => panic!("{unknown:?}"),
        }
    }
    let mut said = vec![text, thought, other];
    said.extend(calls);
    TranscriptOutcome { said, error, unread: decoder.unread() }
}

#[test]
fn a_reply_is_the_same_wherever_its_bytes_are_cut() {
    for body in bodies() {
        let whole = read(body.dialect, &body.content_type, &[&body.bytes]);
        for cut in 0..=body.bytes.len() {
            let (first, second) = body.bytes.split_at(cut);
            let cut_up = read(body.dialect, &body.content_type, &[first, second]);
            assert_eq!((&cut_up.said, &cut_up.error), (&whole.said, &whole.error), "{} at {cut}", body.case);
        }
        let bytes: Vec<&[u8]> = body.bytes.chunks(1).collect();
        assert_eq!(read(body.dialect, &body.content_type, &bytes).said, whole.said, "{}", body.case);
    }
}

/// Words with which servers mark an end.
const ENDS: [&str; 7] = [
    "finish_reason\": \"",
    "finishReason",
    "stop_reason",
    "message_stop",
    "[DONE]",
    "\"completed\"",
    "\"cancelled\"",
];

#[test]
fn a_reply_that_is_cut_off_is_an_error() {
    for body in bodies() {
        for cut in 0..body.bytes.len() {
            let part = &body.bytes[..cut];
            let outcome = read(body.dialect, &body.content_type, &[part]);
            let text = String::from_utf8_lossy(part);
            let has_end = ENDS.iter().any(|end| text.contains(end));
            assert!(outcome.error.is_some() || has_end, "{} at {cut}: {:?}", body.case, outcome.said);
        }
    }
}

/// Every protocol's reader reads every transcript: no panic, and success only at a marked end.
#[test]
fn every_dialect_survives_every_transcript() {
    for body in bodies() {
        for dialect in [
            ProviderDialect::OpenAiChat,
            ProviderDialect::OpenAiResponses,
            ProviderDialect::Anthropic,
            ProviderDialect::Gemini,
        ] {
            let outcome = read(dialect, &body.content_type, &[&body.bytes]);
            assert!(outcome.error.is_some() || outcome.said[2].contains(' '), "{} {dialect:?}", body.case);
        }
    }
}

/// Random numbers, the same in each run.
struct SeededNumbers(u64);

impl SeededNumbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % (end.max(1) as u64)).unwrap()
    }
}

/// Adds a member to a random object in a frame; false if the frame has no object.
fn add_member(value: &mut Value, random: &mut SeededNumbers, name: &str, member: &Value) -> bool {
    match value {
        Value::Object(members) => {
            let inner: Vec<String> = members
                .iter()
                .filter(|(_, inner)| inner.is_object() || inner.is_array())
                .map(|(name, _)| name.clone())
                .collect();
            if !inner.is_empty() && random.below(3) > 0 {
                let at = random.below(inner.len());
                if add_member(&mut members[&inner[at]], random, name, member) {
                    return true;
                }
            }
            members.insert(name.to_owned(), member.clone());
            true
        }
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            add_member(&mut items[at], random, name, member)
        }
        _ => false,
    }
}

/// In any transcript, shown content plus logged warnings account for each frame member that is not on the list known to mean
/// nothing.
#[test]
fn every_member_is_shown_or_named() {
    let count = std::env::var("AGUI_TRANSCRIPTS").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    let frames: Vec<(ProviderDialect, Vec<Value>)> = bodies()
        .into_iter()
        .filter_map(|body| {
            let text = String::from_utf8(body.bytes).unwrap();
            let frames: Vec<Value> = text
                .lines()
                .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
                .collect();
            // Blocks without a form are named as a whole, with all of their members.
            let is_named =
                text.contains("server_tool_use") || text.contains("mcp_tool_use") || text.contains("dream");
            (frames.len() > 1 && !is_named).then_some((body.dialect, frames))
        })
        .collect();
    let mut seen = 0;
    for dialect in [
        ProviderDialect::OpenAiChat,
        ProviderDialect::OpenAiResponses,
        ProviderDialect::Anthropic,
        ProviderDialect::Gemini,
    ] {
        let own: Vec<&Vec<Value>> =
            frames.iter().filter(|(of, _)| *of == dialect).map(|(_, frames)| frames).collect();
        for number in 0..count {
            let mut random = SeededNumbers(number);
            let mut transcript = own[random.below(own.len())].clone();
            let mut names = Vec::new();
            for at in 0..1 + random.below(3) {
                let (name, text) = (format!("unknown_{number}_{at}"), format!("marker-{number}-{at}"));
                let member = match random.below(4) {
                    0 => Value::from(text.clone()),
                    1 => Value::from(vec![text.clone()]),
                    2 => Value::Object(Map::from_iter([("text".to_owned(), text.clone().into())])),
                    _ => Value::from(7_000_000 + number),
                };
                let frame = random.below(transcript.len());
                let mut changed = transcript[frame].clone();
                if add_member(&mut changed, &mut random, &name, &member) {
                    let mut ignored = UnreadMembers::default();
                    ignored.left(&changed, dialect.ignored_members());
                    let is_ignored = !ignored.take().iter().any(|path| path.contains(&name));
                    transcript[frame] = changed;
                    names.extend((!is_ignored).then_some(name));
                }
            }
            let body: String = transcript.iter().map(|frame| format!("data: {frame}\n\n")).collect();
            let outcome = read(dialect, "text/event-stream", &[body.as_bytes()]);
            if outcome.error.is_some() {
                continue;
            }
            let (page, log) = (outcome.said.join("\n"), outcome.unread.join("\n"));
            for name in names {
                seen += 1;
                let is_told =
                    page.contains(&name) || log.contains(&name) || log.contains("in the final list");
                assert!(is_told, "{dialect:?} {number}: `{name}` is neither shown nor named: {log}\n{body}");
            }
        }
    }
    assert!(seen > count, "{seen}");
}
