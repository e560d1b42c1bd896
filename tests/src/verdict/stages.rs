//! The parts that use one stage or a few.

use agui_runtime::order::{OrderError, OrderRule, OrderVerifier};
use agui_runtime::protocol::{Event, EventType, RawEvent};
use agui_runtime::receive::compact::compact_with;
use agui_runtime::receive::{ChunkExpander, ReceivePipeline, ShapeEnforcer};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::skeleton::skeleton;
use super::{Refusal, result};

/// An event for stages that read it as it was given.
enum Given {
    Event(Event),
    /// An event of an unknown type.
    Unknown,
    Malformed(serde_json::Error),
}

fn given(event: &Value) -> Given {
    match Event::deserialize(event) {
        Ok(event) => Given::Event(event),
        Err(_) if type_of(event).is_none() => Given::Unknown,
        Err(cause) => Given::Malformed(cause),
    }
}

fn type_of(event: &Value) -> Option<EventType> {
    event["type"].as_str()?.parse().ok()
}

/// The ordering verifier alone, on the events as given.
pub(super) fn verify(stream: &[Value]) -> Value {
    let mut verifier = OrderVerifier::new();
    let mut refusal = None;
    let mut passed = Vec::new();
    for (at, event) in stream.iter().enumerate() {
        let verdict = match given(event) {
            Given::Event(event) => {
                verifier.check(&event).map_err(|error| Refusal::new(error.code(), at, &error))
            }
            // It has to be in a run, like every event without other rules.
            Given::Unknown => verifier
                .check(&RawEvent::new(Value::Null).into())
                .map_err(|error| Refusal::new(error.code(), at, &error)),
            Given::Malformed(cause) => malformed(&mut verifier, at, event, &cause),
        };
        if let Err(refused) = verdict {
            refusal = Some(refused);
            break;
        }
        passed.push(event.clone());
    }
    result(&passed, &[], refusal)
}

/// The official verifier's verdict on a malformed event. It checks the run first, and then as little as it needs.
fn malformed(
    verifier: &mut OrderVerifier,
    at: usize,
    event: &Value,
    cause: &serde_json::Error,
) -> Result<(), Refusal> {
    let refused = |error: OrderError| Refusal::new(error.code(), at, &error);
    let Some(event_type) = type_of(event) else { return Ok(()) };
    let skeleton = skeleton(event, event_type);
    if let Some(code) = unnamed(event) {
        // The phase of the run is checked before the event's own errors, and open items after them.
        let phase = verifier.clone().check(&skeleton).err();
        return Err(match phase.filter(|error| PHASE.contains(&error.rule())) {
            Some(error) => refused(error),
            None => Refusal::new(code, at, &cause),
        });
    }
    verifier.check(&skeleton).map_err(refused)
}

/// The official verifier's first checks of every event.
const PHASE: [OrderRule; 4] =
    [OrderRule::FirstEvent, OrderRule::AfterError, OrderRule::AfterFinished, OrderRule::RunActive];

/// The official verifier's codes for events that cannot exist here.
fn unnamed(event: &Value) -> Option<&'static str> {
    let is_null = |value: &Value, key: &str| value.get(key).is_some_and(Value::is_null);
    let no_text = |key: &str| !event[key].is_string();
    let tagged_null = |list: &Value| {
        list.as_array().is_some_and(|list| list.iter().any(|entry| is_null(entry, "subagentRunId")))
    };
    let outcome = &event["outcome"];
    let null = is_null(event, "subagentRunId")
        || match type_of(event)? {
            EventType::SubagentStarted => {
                ["description", "parentSubagentRunId", "parentToolCallId", "parentMessageId"]
                    .iter()
                    .any(|key| is_null(event, key))
            }
            EventType::SubagentFinished => is_null(event, "outcome") || is_null(outcome, "interruptIds"),
            EventType::SubagentError => is_null(event, "code"),
            EventType::RunFinished => tagged_null(&outcome["interrupts"]),
            EventType::MessagesSnapshot => tagged_null(&event["messages"]),
            EventType::RunStarted => tagged_null(&event["input"]["messages"]),
            _ => false,
        };
    if null {
        return Some("V_NULL_FIELD");
    }
    match type_of(event)? {
        EventType::SubagentStarted if no_text("subagentRunId") || no_text("name") => {
            Some("V_SUBAGENT_FIELD_MISSING")
        }
        EventType::SubagentError if no_text("subagentRunId") || no_text("message") => {
            Some("V_SUBAGENT_FIELD_MISSING")
        }
        EventType::SubagentFinished if no_text("subagentRunId") => Some("V_SUBAGENT_FIELD_MISSING"),
        EventType::SubagentFinished
            if outcome.get("interruptIds").is_some() && outcome["type"] == "suspended" =>
        {
            Some("V_SUBAGENT_INTERRUPT_IDS")
        }
        EventType::SubagentFinished
            if outcome.is_object() && outcome["type"] != "success" && outcome["type"] != "suspended" =>
        {
            Some("V_SUBAGENT_OUTCOME")
        }
        _ => None,
    }
}

/// Enforcement alone.
pub(super) fn enforce(stream: &[Value]) -> Value {
    let mut warnings = Vec::new();
    let mut passed = Vec::new();
    let mut refusal = None;
    for (at, event) in stream.iter().enumerate() {
        match ShapeEnforcer::new().event(event.clone(), &mut |warning| warnings.push(warning)) {
            Ok(event) => passed.extend(event.map(|event| json!(event))),
            Err(error) => {
                refusal = Some((at, &error).into());
                break;
            }
        }
    }
    result(&passed, &warnings, refusal)
}

/// Chunk expansion alone.
pub(super) fn expand(stream: &[Value]) -> Value {
    let mut chunks = ChunkExpander::new();
    let mut passed = Vec::new();
    let mut refusal = None;
    for (at, event) in stream.iter().enumerate() {
        let expanded = match given(event) {
            Given::Event(event) => {
                chunks.expand(event).map_err(|error| Refusal::new(error.code(), at, &error))
            }
            Given::Unknown => {
                passed.push(event.clone());
                continue;
            }
            Given::Malformed(cause) => Err(Refusal::new("S_MALFORMED", at, &cause)),
        };
        match expanded {
            Ok(events) => passed.extend(events.map(|event| json!(event))),
            Err(refused) => {
                refusal = Some(refused);
                break;
            }
        }
    }
    result(&passed, &[], refusal)
}

/// Enforcement, expansion and verification.
pub(super) fn check(stream: &[Value]) -> Value {
    let mut pipeline = ReceivePipeline::new();
    let mut warnings = Vec::new();
    let mut passed = Vec::new();
    let mut refusal = None;
    for (at, event) in stream.iter().enumerate() {
        // Without the compatibility boundary, which is part of the whole pipeline.
        match ShapeEnforcer::new().event(event.clone(), &mut |warning| warnings.push(warning)) {
            Ok(None) => continue,
            Ok(Some(event)) => pipeline.push(event),
            Err(error) => {
                refusal = Some((at, &error).into());
                break;
            }
        }
        if let Err(error) = pipeline.drain(|event, _, _| passed.push(json!(event))) {
            refusal = Some(Refusal { at: Some(at), ..(&error).into() });
            break;
        }
    }
    result(&passed, &warnings, refusal)
}

/// The result of compaction for the events that can be read.
pub(super) fn compacted(stream: &[Value]) -> Result<Value, String> {
    let events: Result<Vec<Event>, _> = stream.iter().map(Event::deserialize).collect();
    let events = events.map_err(|cause| cause.to_string())?;
    Ok(json!(compact_with(events, &mut |_| {})))
}
