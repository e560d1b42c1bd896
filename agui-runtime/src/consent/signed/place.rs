//! The place where a question is asked, and its digest.

use hmac_sha256::Hash as Sha256;

use super::key::{Codes, InterruptKey, beginning, hashed};
use crate::consent::field::field;
use crate::protocol::ThreadId;

const PLACE_LEN: usize = 16;

/// The place where a question is asked: its answer counts only there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'p> {
    /// The name of the agent. One server may have another agent with the same tools and questions.
    pub(super) agent: &'p str,
    pub(super) thread: &'p ThreadId,
    /// The party that may answer, if the run names one.
    pub(super) subject: Option<&'p str>,
}

impl Place<'_> {
    fn subject(&self) -> String {
        self.subject.map(|subject| format!("={subject}")).unwrap_or_default()
    }

    /// Returns the codes of the questions that are asked here. They hash the place once.
    pub(super) fn codes(&self, key: &InterruptKey) -> Codes {
        key.codes(&[self.agent, self.thread.as_str(), &self.subject()])
    }

    /// Returns the digest of the place, which does not depend on a key: a process may use several.
    pub(super) fn digest(&self) -> PlaceDigest {
        let mut hash = Sha256::new();
        for text in [self.agent, self.thread.as_str(), &self.subject()] {
            hashed::count(text.as_bytes());
            field(&mut hash, text);
        }
        PlaceDigest(beginning(hash.finalize()))
    }
}

/// The beginning of SHA-256 over agent, thread and subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceDigest([u8; PLACE_LEN]);

#[cfg(test)]
impl From<[u8; PLACE_LEN]> for PlaceDigest {
    fn from(bytes: [u8; PLACE_LEN]) -> Self {
        Self(bytes)
    }
}
