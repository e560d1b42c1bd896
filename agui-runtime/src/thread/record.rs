//! The records of a thread as text: events of AG-UI, and control records that no client sees.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::protocol::print::Print as _;
use crate::protocol::{Event, Interrupt, InterruptId, MessageId, RunAgentInput, RunId};
use crate::receive::Intake;

/// The beginning of the text of a control record. The text of an event begins with its type.
const CONTROL: &[u8] = br#"{"control":"#;

/// The bytes of most events: a token with its ids.
const USUAL: usize = 160;

/// A record of a thread.
#[derive(Debug)]
pub(crate) enum Record {
    Event(Event),
    Control(Control),
}

/// A record that no client sees.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "control", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Control {
    /// A run claims the thread: the owner of the thread's epoch from here on.
    Claimed {
        run: RunId,
        /// Tells two claims of one run apart.
        nonce: String,
        /// The questions that the run answers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        answers: Vec<InterruptId>,
        /// The input without its messages and its state, if another server may run the agent again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<Box<RunAgentInput>>,
    },
    /// The owner of the run must stop it.
    CancelAsked { run: RunId },
    /// All records before this one, folded.
    Snapshot {
        /// A run that gives a new client the same conversation.
        events: Vec<Event>,
        /// The questions that are open.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        asked: Vec<Interrupt>,
        /// The messages that clients wrote.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        of_clients: Vec<MessageId>,
    },
}

impl Control {
    /// Returns the events that stand for the records before a snapshot; none for other records.
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

/// Returns the record of an event.
pub(crate) fn of_event(event: &Event) -> Bytes {
    let mut text = Vec::with_capacity(USUAL);
    event.print(&mut text);
    text.into()
}

/// Returns the record of a control record.
pub(crate) fn of_control(control: &Control) -> Result<Bytes, serde_json::Error> {
    serde_json::to_vec(control).map(Bytes::from)
}

/// Returns true if the record is an event, for readers that hand its text on.
pub(crate) fn is_event(record: &[u8]) -> bool {
    !record.starts_with(CONTROL)
}

/// Reads a record; `None` for an event that this version does not know.
pub(crate) fn read(seq: u64, record: &[u8], intake: &mut Intake) -> Result<Option<Record>, UnreadableRecord> {
    let unreadable = |reason: &dyn std::fmt::Display| UnreadableRecord { seq, reason: reason.to_string() };
    if !is_event(record) {
        let control = serde_json::from_slice(record).map_err(|error| unreadable(&error))?;
        return Ok(Some(Record::Control(control)));
    }
    let text = std::str::from_utf8(record).map_err(|error| unreadable(&error))?;
    let event = intake.text(text, &mut |_| {}).map_err(|error| unreadable(&error))?;
    Ok(event.map(Record::Event))
}
