//! The note of a thread: its last runs, and the questions that are open.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::log::LogError;
use crate::protocol::{InterruptId, RunId};

/// The number of runs that a note remembers. An older run cannot be attached to, and its id is new again.
const RUNS: usize = 64;

/// The facts of a thread that are known without reading its log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Note {
    /// The epoch of the first claim: no other thread has it, also not one of the same name.
    pub(crate) born: u64,
    /// The last runs, oldest first.
    pub(crate) runs: Vec<NotedRun>,
    /// True if the owner of the open run was asked to stop it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_stopping: bool,
    /// The questions that are open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) asked: Vec<InterruptId>,
}

/// A run in a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotedRun {
    pub(crate) id: RunId,
    /// The digest of the request that started it.
    pub(crate) request: String,
    /// The sequence number of its claim.
    pub(crate) first: u64,
    /// The sequence number of its last event; `None` while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last: Option<u64>,
    /// The number of times that it was run again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) restarts: u64,
    /// The bytes of its records, once it has ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) bytes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl NotedRun {
    /// Returns true if the record of a sequence number belongs to the run.
    pub(crate) fn has(&self, seq: u64) -> bool {
        self.first <= seq && self.last.is_none_or(|last| seq <= last)
    }
}

impl Note {
    /// Reads the note of a head; an empty one is that of a new thread.
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

    /// Begins a run on a thread whose records are kept from `first` on.
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

    /// Ends the open run.
    pub(crate) fn end(&mut self, last: u64) {
        self.is_stopping = false;
        if let Some(run) = self.runs.last_mut() {
            run.last.get_or_insert(last);
        }
    }
}
