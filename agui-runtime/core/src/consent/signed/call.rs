//! Call digests: the parts that must not change between an interrupt and its resume entry.

use hmac_sha256::Hash as Sha256;

use super::arguments;
use super::key::{beginning, hashed};
use crate::consent::field::field;
use crate::protocol::{ToolCall, ToolCallId};

/// First bytes of SHA-256 over a call id. Finds the calls that an interrupt may be about, and proves nothing.
pub(super) type IdDigest = [u8; 8];

/// Returns the digest for a call id.
pub(super) fn id_digest(id: &ToolCallId) -> IdDigest {
    beginning(Sha256::hash(id.as_str().as_bytes()))
}

/// The digest for a call's id, and SHA-256 over id, tool and arguments. The second hash is not shortened: a client may influence
/// the arguments, and must not find two calls with one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallDigest {
    pub(super) id: IdDigest,
    pub(super) whole: [u8; 32],
}

impl CallDigest {
    pub(super) const LEN: usize = 8 + 32;

    pub(super) fn from_call(call: &ToolCall) -> Self {
        Self::from_parts(&call.id, &call.function.name, &call.function.arguments)
    }

    pub(super) fn from_parts(id: &ToolCallId, tool: &str, arguments: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"agui-rust call 1");
        hashed::count(arguments.as_bytes());
        field(&mut hash, id.as_str());
        field(&mut hash, tool);
        arguments::update(&mut hash, arguments);
        Self { id: id_digest(id), whole: hash.finalize() }
    }

    pub(super) fn bytes(self) -> impl Iterator<Item = u8> {
        self.id.into_iter().chain(self.whole)
    }

    /// Splits a digest from the beginning of some bytes.
    pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (id, rest) = bytes.split_first_chunk()?;
        let (whole, rest) = rest.split_first_chunk()?;
        Some((Self { id: *id, whole: *whole }, rest))
    }
}
