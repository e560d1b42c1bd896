//! Checks beyond the verifier, and counts of the cases.

use std::collections::HashSet;

use agui_runtime::protocol::{Event, Message, MessageId, RunAgentInput, RunFinishedOutcome, ToolCallId};

/// The ids in the stream that the client does not know: the official client does not check them.
pub(super) fn phantoms(input: &RunAgentInput, events: &[Event]) -> Vec<String> {
    let mut told: HashSet<String> = HashSet::new();
    let tell = |told: &mut HashSet<String>, messages: &[Message]| {
        for message in messages {
            told.insert(message.id().as_str().to_owned());
            if let Message::Assistant(assistant) = message {
                told.extend(assistant.tool_calls().iter().map(|call| call.id.as_str().to_owned()));
            }
        }
    };
    tell(&mut told, &input.messages);
    let mut phantoms = Vec::new();
    for event in events {
        let named: Vec<&str> = match event {
            Event::SubagentStarted(started) => {
                let call = started.parent_tool_call_id.as_ref().map(ToolCallId::as_str);
                call.into_iter().chain(started.parent_message_id.as_ref().map(MessageId::as_str)).collect()
            }
            Event::ReasoningEncryptedValue(value) => vec![value.entity_id.as_str()],
            _ => vec![],
        };
        phantoms.extend(named.into_iter().filter(|id| !told.contains(*id)).map(str::to_owned));
        match event {
            Event::MessagesSnapshot(snapshot) => tell(&mut told, &snapshot.messages),
            Event::ToolCallStart(start) => {
                told.insert(start.tool_call_id.as_str().to_owned());
                told.extend(start.parent_message_id.iter().map(|id| id.as_str().to_owned()));
            }
            Event::TextMessageChunk(chunk) => {
                told.extend(chunk.message_id.iter().map(|id| id.as_str().to_owned()));
            }
            Event::ReasoningMessageChunk(chunk) => {
                told.extend(chunk.message_id.iter().map(|id| id.as_str().to_owned()));
            }
            Event::ToolCallChunk(chunk) => {
                told.extend(chunk.tool_call_id.iter().map(|id| id.as_str().to_owned()));
                told.extend(chunk.parent_message_id.iter().map(|id| id.as_str().to_owned()));
            }
            other => told.extend(other.scope_id().map(str::to_owned)),
        }
    }
    phantoms
}

/// The counts of the cases.
#[derive(Debug, Default)]
pub(super) struct Seen {
    snapshots: usize,
    results: usize,
    interrupts: usize,
    chunks: usize,
    parents: usize,
    delegated: usize,
    encrypted: usize,
    deltas: usize,
}

impl Seen {
    pub(super) fn of(streams: &[Vec<Event>]) -> String {
        let mut seen = Self::default();
        for event in streams.iter().flatten() {
            match event {
                Event::MessagesSnapshot(_) => seen.snapshots += 1,
                Event::ToolCallResult(result) if result.tool_call_id.as_str().starts_with("old") => {
                    seen.results += 1;
                }
                Event::RunFinished(finished)
                    if matches!(finished.outcome, Some(RunFinishedOutcome::Interrupt(_))) =>
                {
                    seen.interrupts += 1;
                }
                Event::ToolCallStart(start) if start.parent_message_id.is_some() => seen.parents += 1,
                Event::SubagentStarted(started) => {
                    seen.delegated += usize::from(started.parent_message_id.is_some());
                    seen.delegated += usize::from(started.parent_tool_call_id.is_some());
                }
                Event::ReasoningEncryptedValue(_) => seen.encrypted += 1,
                Event::ActivityDelta(_) => seen.deltas += 1,
                _ => {}
            }
        }
        seen.chunks = streams.iter().filter(|events| passes(events)).count();
        let often =
            [seen.snapshots, seen.interrupts, seen.parents, seen.delegated, seen.encrypted, seen.deltas];
        assert!(often.iter().all(|&count| count > 20) && seen.chunks > 10 && seen.results > 2, "{seen:?}");
        format!("{seen:?}")
    }
}

pub(super) fn passes(events: &[Event]) -> bool {
    events.iter().any(|event| event.event_type().as_str().ends_with("_CHUNK"))
}
