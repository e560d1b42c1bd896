//! Fixed-size thread names: databases limit index keys, and refuse some texts.

use hmac_sha256::Hash as Sha256;

use super::key::ThreadKey;

/// The name of a thread, or of an owner's thread list for one agent.
pub type ThreadDigest = [u8; 32];

/// Names the thread.
#[must_use]
pub fn thread_digest(key: &ThreadKey) -> ThreadDigest {
    digest(&[key.owner(), key.agent(), key.thread()])
}

/// Names the list of an owner's threads with one agent.
#[must_use]
pub fn list_digest(owner: &str, agent: &str) -> ThreadDigest {
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
