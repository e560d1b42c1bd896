//! Thread records as text: AG-UI events, and control records that no client sees.

use bytes::Bytes;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::emit::{PlacedPrivateTurn, PrivateTurn};
use crate::protocol::forms::print::JsonPrint as _;
use crate::protocol::{Event, Interrupt, InterruptId, MessageId, RunAgentInput, RunId};
use crate::receive::FrameIntake;

/// The prefix that marks a control record. An event's text begins with the event type.
const CONTROL: &[u8] = br#"{"control":"#;

/// The usual event size in bytes: a token with ids.
const USUAL: usize = 160;

/// A thread record.
#[derive(Debug)]
pub(crate) enum ThreadRecord {
    Event(Event),
    Control(ControlRecord),
}

/// A record that no client sees.
#[derive(Debug, Serialize)]
#[serde(tag = "control", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum ControlRecord {
    /// A run claims the thread, and owns the thread's epoch from here on.
    Claimed {
        run: RunId,
        /// Distinguishes two claims for one run.
        nonce: String,
        /// The interrupts that the run resumes.
        #[serde(rename = "answers", skip_serializing_if = "Vec::is_empty")]
        resumed: Vec<InterruptId>,
        /// The input without messages and state, if another server may run the agent again.
        #[serde(skip_serializing_if = "Option::is_none")]
        request: Option<Box<RunAgentInput>>,
    },
    /// The run's owner must stop the run.
    CancelAsked { run: RunId },
    /// Another run waits until no client reads the run.
    ReadersAsked { run: RunId },
    /// A client on a server other than the owner reads the run.
    ReaderFound { run: RunId },
    /// User messages wait for the open run's next safe point, or for the next run.
    Steered {
        run: RunId,
        /// The digest of the request, which recognises a repeated request.
        digest: String,
        /// The input with the new messages, and without state.
        request: Box<RunAgentInput>,
    },
    /// The thread's note has another description, which the run's owner must keep.
    NoteChanged,
    /// Calls and results that are the model's alone, behind the messages of the records before.
    Private { turn: PrivateTurn },
    /// All earlier records, folded.
    Snapshot {
        /// A run that gives a new client the same conversation.
        events: Vec<Event>,
        /// The open interrupts.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        asked: Vec<Interrupt>,
        /// The messages that clients wrote.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        of_clients: Vec<MessageId>,
        /// The private turns.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        private: Vec<PlacedPrivateTurn>,
    },
}

/// The members of all control records. The derive for a tagged enum would buffer the record, and compile one more parser for every
/// protocol type.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ControlMembers<'r> {
    control: ControlKind,
    run: Option<RunId>,
    nonce: Option<String>,
    #[serde(default, rename = "answers")]
    resumed: Vec<InterruptId>,
    #[serde(borrow)]
    request: Option<&'r RawValue>,
    digest: Option<String>,
    #[serde(borrow)]
    events: Option<Vec<&'r RawValue>>,
    #[serde(default)]
    asked: Vec<Interrupt>,
    #[serde(default)]
    of_clients: Vec<MessageId>,
    #[serde(default)]
    private: Vec<PlacedPrivateTurn>,
    turn: Option<PrivateTurn>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ControlKind {
    Claimed,
    CancelAsked,
    ReadersAsked,
    ReaderFound,
    Steered,
    NoteChanged,
    Private,
    Snapshot,
}

impl ControlMembers<'_> {
    fn into_control(self) -> Result<ControlRecord, String> {
        let Self { control, run, nonce, resumed, request, digest, events, asked, of_clients, private, turn } =
            self;
        let missing = |name| serde_json::Error::missing_field(name).to_string();
        let run = run.ok_or_else(|| missing("run"));
        let request = request.map(|request| {
            // As the requests of clients are read.
            let mut json = serde_json::Deserializer::from_str(request.get());
            serde_path_to_error::deserialize(&mut json).map_err(|error| error.to_string())
        });
        Ok(match control {
            ControlKind::Claimed => ControlRecord::Claimed {
                run: run?,
                nonce: nonce.ok_or_else(|| missing("nonce"))?,
                resumed,
                request: request.transpose()?,
            },
            ControlKind::CancelAsked => ControlRecord::CancelAsked { run: run? },
            ControlKind::ReadersAsked => ControlRecord::ReadersAsked { run: run? },
            ControlKind::ReaderFound => ControlRecord::ReaderFound { run: run? },
            ControlKind::Steered => ControlRecord::Steered {
                run: run?,
                digest: digest.ok_or_else(|| missing("digest"))?,
                request: request.ok_or_else(|| missing("request"))??,
            },
            ControlKind::NoteChanged => ControlRecord::NoteChanged,
            ControlKind::Private => ControlRecord::Private { turn: turn.ok_or_else(|| missing("turn"))? },
            ControlKind::Snapshot => {
                let mut intake = FrameIntake::new();
                let mut read = Vec::new();
                for event in events.ok_or_else(|| missing("events"))? {
                    let event = intake.text(event.get(), &mut |_| {}).map_err(|error| error.to_string())?;
                    read.extend(event);
                }
                ControlRecord::Snapshot { events: read, asked, of_clients, private }
            }
        })
    }
}

impl ControlRecord {
    /// Returns the events that stand for the records before a snapshot; empty for other records.
    #[cfg(feature = "a2a")]
    pub(crate) fn into_snapshot(self) -> Vec<Event> {
        match self {
            Self::Snapshot { events, .. } => events,
            _ => Vec::new(),
        }
    }
}

/// A record that this version cannot read.
#[derive(Debug, thiserror::Error)]
#[error("record {seq} of the thread cannot be read: {reason}")]
pub(crate) struct UnreadableRecord {
    seq: u64,
    reason: String,
}

/// Encodes an event as a record.
pub(crate) fn event_record(event: &Event) -> Bytes {
    let mut text = Vec::with_capacity(USUAL);
    event.print(&mut text);
    text.into()
}

/// Encodes a control record.
pub(crate) fn control_record(control: &ControlRecord) -> Result<Bytes, serde_json::Error> {
    serde_json::to_vec(control).map(Bytes::from)
}

/// True if the record is an event, for readers that pass the text on.
pub(crate) fn is_event(record: &[u8]) -> bool {
    !record.starts_with(CONTROL)
}

/// Parses a control record.
///
/// # Errors
/// Why the record cannot be read.
pub(crate) fn read_control(record: &[u8]) -> Result<ControlRecord, String> {
    let members: ControlMembers<'_> = serde_json::from_slice(record).map_err(|error| error.to_string())?;
    members.into_control()
}

/// Reads a record; `None` for an event that this version does not know.
pub(crate) fn read(
    seq: u64,
    record: &[u8],
    intake: &mut FrameIntake,
) -> Result<Option<ThreadRecord>, UnreadableRecord> {
    let unreadable = |reason: &dyn std::fmt::Display| UnreadableRecord { seq, reason: reason.to_string() };
    if !is_event(record) {
        let control = read_control(record).map_err(|reason| unreadable(&reason))?;
        return Ok(Some(ThreadRecord::Control(control)));
    }
    let text = std::str::from_utf8(record).map_err(|error| unreadable(&error))?;
    let event = intake.text(text, &mut |_| {}).map_err(|error| unreadable(&error))?;
    Ok(event.map(ThreadRecord::Event))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::{Message, RunStartedEvent, TextMessageStartEvent};

    #[test]
    fn a_control_record_is_read_as_it_was_written() {
        let request = RunAgentInput::new("t", "r", Vec::<Message>::new());
        let events = vec![RunStartedEvent::new("t", "r").into(), TextMessageStartEvent::new("m").into()];
        let asked = vec![Interrupt::new("q", "confirmation")];
        let call = json!({ "id": "pv-1", "tool": "customer", "arguments": "{}", "content": "Ada" });
        let turn = json!({ "agent": "desk", "continues": true, "calls": [call] });
        let turn: PrivateTurn = serde_json::from_value(turn).unwrap();
        let records = [
            ControlRecord::Claimed {
                run: "r".into(),
                nonce: "n".into(),
                resumed: vec!["q".into()],
                request: None,
            },
            ControlRecord::Claimed {
                run: "r".into(),
                nonce: "n".into(),
                resumed: Vec::new(),
                request: Some(Box::new(request.clone())),
            },
            ControlRecord::Steered { run: "r".into(), digest: "d".into(), request: Box::new(request) },
            ControlRecord::CancelAsked { run: "r".into() },
            ControlRecord::ReadersAsked { run: "r".into() },
            ControlRecord::ReaderFound { run: "r".into() },
            ControlRecord::NoteChanged,
            ControlRecord::Private { turn: turn.clone() },
            ControlRecord::Snapshot {
                events,
                asked,
                of_clients: vec!["m".into()],
                private: vec![
                    PlacedPrivateTurn { after: None, turn: turn.clone() },
                    PlacedPrivateTurn { after: Some("m".into()), turn },
                ],
            },
            ControlRecord::Snapshot {
                events: Vec::new(),
                asked: Vec::new(),
                of_clients: Vec::new(),
                private: Vec::new(),
            },
        ];
        for record in records {
            let text = control_record(&record).unwrap();
            assert!(!is_event(&text));
            assert_eq!(control_record(&read_control(&text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn a_control_record_without_its_members_is_refused() {
        for record in [
            r#"{"control":"claimed","run":"r"}"#,
            r#"{"control":"cancel_asked"}"#,
            r#"{"control":"steered","run":"r","digest":"d"}"#,
            r#"{"control":"private"}"#,
            r#"{"control":"snapshot"}"#,
            r#"{"control":"snapshot","events":[{"type":"RUN_STARTED"}]}"#,
            r#"{"control":"other"}"#,
            r#"{"type":"STEP_STARTED","stepName":"plan"}"#,
        ] {
            assert!(read_control(record.as_bytes()).is_err(), "{record}");
        }
    }
}
