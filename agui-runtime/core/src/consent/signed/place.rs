//! Where an interrupt is raised, and the digest over this origin.

use hmac_sha256::Hash as Sha256;

use super::key::{InterruptCodes, InterruptKey, beginning, hashed};
use crate::consent::field::field;
use crate::protocol::ThreadId;

const PLACE_LEN: usize = 16;

/// Where an interrupt is raised: a resume entry counts only there.
#[derive(Clone, Copy, Debug)]
pub(super) struct InterruptOrigin<'p> {
    /// Agent name. One server may have another agent with the same tools and interrupts.
    pub(super) agent: &'p str,
    pub(super) thread: &'p ThreadId,
    /// The party that may resume, if the run names one.
    pub(super) subject: Option<&'p str>,
}

impl InterruptOrigin<'_> {
    fn subject(&self) -> String {
        self.subject.map(|subject| format!("={subject}")).unwrap_or_default()
    }

    /// Returns the code maker for interrupts raised here. Agent, thread and subject are hashed once.
    pub(super) fn codes(&self, key: &InterruptKey) -> InterruptCodes {
        key.codes(&[self.agent, self.thread.as_str(), &self.subject()])
    }

    /// Returns the digest, independent from any key: a process may use several keys.
    pub(super) fn digest(&self) -> OriginDigest {
        let mut hash = Sha256::new();
        for text in [self.agent, self.thread.as_str(), &self.subject()] {
            hashed::count(text.as_bytes());
            field(&mut hash, text);
        }
        OriginDigest(beginning(hash.finalize()))
    }
}

/// First bytes of SHA-256 over agent, thread and subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OriginDigest([u8; PLACE_LEN]);

#[cfg(test)]
impl From<[u8; PLACE_LEN]> for OriginDigest {
    fn from(bytes: [u8; PLACE_LEN]) -> Self {
        Self(bytes)
    }
}
