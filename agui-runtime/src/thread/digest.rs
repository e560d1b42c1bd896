//! Names of a fixed size for threads: a database limits the keys of its indexes, and has texts that it does not take.

use hmac_sha256::Hash as Sha256;

use super::key::ThreadKey;

/// The name of a thread, or of the threads of an owner with an agent.
pub(super) type Digest = [u8; 32];

impl ThreadKey {
    #[cfg(feature = "postgres")]
    pub(super) fn digest(&self) -> Digest {
        digest(&[self.owner(), self.agent(), self.thread()])
    }

    /// The name of the list that the thread is in.
    #[cfg(feature = "postgres")]
    pub(super) fn list_digest(&self) -> Digest {
        list_digest(self.owner(), self.agent())
    }
}

pub(super) fn list_digest(owner: &str, agent: &str) -> Digest {
    digest(&[owner, agent])
}

/// Each part with its length, so that no two lists of parts are the same bytes.
fn digest(parts: &[&str]) -> Digest {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize()
}
