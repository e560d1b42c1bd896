//! The digest of a call: the parts that must not change between a question and its answer.

use hmac_sha256::Hash as Sha256;

use super::arguments;
use super::key::{beginning, hashed};
use crate::consent::field::field;
use crate::protocol::{ToolCall, ToolCallId};

/// The beginning of SHA-256 over the id of a call. It finds the calls that a question may be about, and proves nothing.
pub(super) type IdDigest = [u8; 8];

/// Returns the digest of an id.
pub(super) fn id_digest(id: &ToolCallId) -> IdDigest {
    beginning(Sha256::hash(id.as_str().as_bytes()))
}

/// The digest of a call's id, and SHA-256 over the id, the tool and the arguments of the call. The second is not
/// shortened: a client may influence the arguments, so it must not be able to find two calls with one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallDigest {
    pub(super) id: IdDigest,
    pub(super) whole: [u8; 32],
}

impl CallDigest {
    pub(super) const LEN: usize = 8 + 32;

    pub(super) fn of(call: &ToolCall) -> Self {
        Self::of_parts(&call.id, &call.function.name, &call.function.arguments)
    }

    pub(super) fn of_parts(id: &ToolCallId, tool: &str, arguments: &str) -> Self {
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

    /// Returns the digest at the beginning of some bytes, and the rest of them.
    pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (id, rest) = bytes.split_first_chunk()?;
        let (whole, rest) = rest.split_first_chunk()?;
        Some((Self { id: *id, whole: *whole }, rest))
    }
}
