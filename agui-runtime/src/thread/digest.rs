//! Fixed-size thread names: databases limit index keys, and refuse some texts.

use hmac_sha256::Hash as Sha256;

use super::key::ThreadKey;

/// The name of a thread, or of an owner's thread list for one agent.
pub(super) type ThreadDigest = [u8; 32];

impl ThreadKey {
    #[cfg(feature = "postgres")]
    pub(super) fn digest(&self) -> ThreadDigest {
        digest(&[self.owner(), self.agent(), self.thread()])
    }

    /// The name of the list that contains the thread.
    #[cfg(feature = "postgres")]
    pub(super) fn list_digest(&self) -> ThreadDigest {
        list_digest(self.owner(), self.agent())
    }
}

pub(super) fn list_digest(owner: &str, agent: &str) -> ThreadDigest {
    digest(&[owner, agent])
}

/// Hashes each part with a length prefix, so that different part lists give different bytes.
fn digest(parts: &[&str]) -> ThreadDigest {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize()
}
