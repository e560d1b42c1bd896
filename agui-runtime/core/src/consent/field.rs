//! Text fields in a hash.

use hmac_sha256::Hash as Sha256;

/// Hashes a text after its length, so that different text lists never hash alike.
pub(super) fn field(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_be_bytes());
    hash.update(text);
}
