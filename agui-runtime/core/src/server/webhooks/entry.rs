//! A message in the outbox: a stored thread that belongs to no agent.

use bytes::Bytes;
use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Serialize};

use crate::hex::hex;
use crate::protocol::RunId;
use crate::server::threads::run_ends::ClaimingRun;
use crate::thread::{LogError, ThreadKey};

/// A message, as the thread's note stores the message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookEntry {
    /// The message id.
    pub(super) id: String,
    pub(super) target: String,
    pub(super) owner: String,
    pub(super) agent: String,
    pub(super) thread: String,
    pub(super) run: RunId,
    /// The thread's end before the run.
    pub(super) place: u64,
    /// The number of attempts begun.
    pub(super) attempts: u32,
    /// The body, once the run has ended. All attempts send the same body, unless a server stood still for longer than the lease:
    /// then the timestamp may differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<String>,
}

impl WebhookEntry {
    /// Creates a run's entry.
    pub(super) fn from_run(
        ClaimingRun { thread: of, id: run, place }: ClaimingRun<'_>,
        target: String,
    ) -> Self {
        let mut digest = Sha256::new();
        for part in [of.owner(), of.agent(), of.thread(), run.as_str()] {
            digest.update(part);
            digest.update([0]);
        }
        digest.update(place.to_be_bytes());
        Self {
            id: format!("msg_{}", hex(&digest.finalize())),
            target,
            owner: of.owner().to_owned(),
            agent: of.agent().to_owned(),
            thread: of.thread().to_owned(),
            run: run.clone(),
            place,
            attempts: 0,
            body: None,
        }
    }

    /// Returns the run's thread.
    pub(super) fn run_thread(&self) -> ThreadKey {
        ThreadKey::new(self.owner.as_str(), self.agent.as_str(), self.thread.as_str())
    }

    pub(super) fn read(note: &[u8]) -> Result<Self, LogError> {
        serde_json::from_slice(note).map_err(|error| {
            LogError::new(format_args!("an entry of the outbox is of another kind: {error}"))
        })
    }

    pub(super) fn to_bytes(&self) -> Bytes {
        // Strings and numbers have a JSON form.
        serde_json::to_vec(self).unwrap_or_default().into()
    }
}
