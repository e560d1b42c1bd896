//! A thread's note: the last runs and the open interrupts.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::last_message::LastMessage;
use crate::protocol::{InterruptId, RunId};
use crate::thread::LogError;

/// The number of runs that a note remembers. Clients cannot attach to an older run, and the older run's id counts as new.
pub(in crate::server::threads) const RUNS: usize = 64;

/// The number of steering requests that a note remembers for each run.
const STEERED: usize = 256;

/// Thread facts that are known without reading the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ThreadNote {
    /// The first claim's epoch: unique, also among threads with the same name.
    pub(crate) born: u64,
    /// The last runs, oldest first.
    pub(crate) runs: Vec<NotedRun>,
    /// True if a client asked the open run's owner to stop.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_stopping: bool,
    /// The open interrupts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) asked: Vec<InterruptId>,
    /// The excerpt for lists; absent until the first run of a version that writes excerpts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_message: Option<LastMessage>,
    /// The title and other facts, by users and the server. While a run goes on, other writers may change the description.
    #[serde(skip_serializing_if = "ThreadDescription::is_empty")]
    pub(crate) description: ThreadDescription,
    /// Members from a newer version, kept for that version's servers.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// A thread's title and other facts, by the user, the application and the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ThreadDescription {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) archived: bool,
    /// The application's facts.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(crate) metadata: Map<String, Value>,
    /// The number of attempts to write a title that gave none.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) title_attempts: u64,
    /// Members from a newer version.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

impl ThreadDescription {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A run in a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotedRun {
    pub(crate) id: RunId,
    /// The digest of the request that started the run.
    pub(crate) request: String,
    /// The claim's sequence number.
    pub(crate) first: u64,
    /// The last event's sequence number; `None` while the run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last: Option<u64>,
    /// The number of restarts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) restarts: u64,
    /// The size of the run's records in bytes. While the run goes on, the newest records may be missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) bytes: u64,
    /// The requests whose messages joined the run, or waited for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) steered: Vec<NotedSteering>,
    /// Members from a newer version.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// A request that steered a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NotedSteering {
    /// The run id in the request, under which a message that the run did not take starts the next run.
    pub(crate) id: RunId,
    /// The digest of the request.
    pub(crate) request: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl NotedRun {
    /// True if the record with this sequence number belongs to the run.
    pub(crate) fn has(&self, seq: u64) -> bool {
        self.first <= seq && self.last.is_none_or(|last| seq <= last)
    }
}

impl ThreadNote {
    /// Parses a head's note; an empty note belongs to a new thread.
    pub(crate) fn read(note: &[u8]) -> Result<Self, LogError> {
        if note.is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_slice(note)
            .map_err(|error| LogError::new(format_args!("a thread has a note of another kind: {error}")))
    }

    pub(crate) fn to_bytes(&self) -> Bytes {
        // Strings and numbers have a JSON form.
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    /// Returns the run that goes on.
    pub(crate) fn open(&self) -> Option<&NotedRun> {
        self.runs.last().filter(|run| run.last.is_none())
    }

    pub(crate) fn run(&self, id: &RunId) -> Option<&NotedRun> {
        self.runs.iter().rev().find(|run| run.id == *id)
    }

    /// Returns the request with a run id of its own that steered a run.
    pub(crate) fn steering(&self, id: &RunId) -> Option<&NotedSteering> {
        self.runs.iter().rev().flat_map(|run| &run.steered).find(|steering| steering.id == *id)
    }

    /// Adds a request that steers the open run.
    pub(crate) fn steer(&mut self, steering: NotedSteering) {
        if let Some(run) = self.runs.last_mut()
            && !run.steered.contains(&steering)
        {
            let beyond = (run.steered.len() + 1).saturating_sub(STEERED);
            run.steered.drain(..beyond);
            run.steered.push(steering);
        }
    }

    /// Begins a run on a thread whose first readable record is `first`.
    pub(crate) fn begin(&mut self, run: NotedRun, first: u64) {
        self.runs.push(run);
        self.is_stopping = false;
        let beyond = self.runs.len().saturating_sub(RUNS);
        let forgotten: u64 =
            self.runs.drain(..beyond).filter(|run| run.first >= first).map(|run| run.bytes).sum();
        if let Some(oldest) = self.runs.first_mut() {
            // They are kept until the oldest known run is trimmed.
            oldest.bytes += forgotten;
        }
    }

    /// Takes over what others may have changed during a run: all but the facts that the owner of a run writes.
    pub(crate) fn take_description(&mut self, newer: Self) {
        (self.description, self.rest) = (newer.description, newer.rest);
    }

    /// Ends the open run.
    pub(crate) fn end(&mut self, last: u64) {
        self.is_stopping = false;
        if let Some(run) = self.runs.last_mut() {
            run.last.get_or_insert(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_of_a_newer_version_are_kept() {
        let newer = json!({
            "born": 7,
            "runs": [{ "id": "r", "request": "x", "first": 1, "last": 4, "colour": "red" }],
            "shelf": { "place": 3 },
            "description": { "title": "Tea", "colour": { "of": "label" } },
        });
        let mut note = ThreadNote::read(newer.to_string().as_bytes()).unwrap();
        let begun = NotedRun { first: 5, last: None, ..note.runs[0].clone() };
        note.begin(begun, 1);
        note.end(9);
        let written: Value = serde_json::from_slice(&note.to_bytes()).unwrap();
        for member in ["shelf", "description"] {
            assert_eq!(written[member], newer[member]);
        }
        assert_eq!(written["runs"][0], newer["runs"][0]);
    }

    #[test]
    fn a_note_of_an_older_version_lacks_members() {
        let older = json!({ "runs": [{ "id": "r", "request": "x", "first": 1 }] });
        let note = ThreadNote::read(older.to_string().as_bytes()).unwrap();
        let run = note.open().unwrap();
        assert_eq!((note.born, run.bytes, run.restarts, run.last), (0, 0, 0, None));
        assert_eq!((note.last_message, note.description), (None, ThreadDescription::default()));
    }

    #[test]
    fn a_note_of_another_kind_is_an_error() {
        for other in ["{", "[]", r#"{"runs":[{"id":"r"}]}"#, r#"{"runs":7}"#] {
            assert!(ThreadNote::read(other.as_bytes()).is_err(), "{other}");
        }
    }
}
