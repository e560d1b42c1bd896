//! The digest of a call: the parts that must not change between a question and its answer.

use sha2::{Digest, Sha256};

use super::arguments;
use crate::protocol::{ToolCall, ToolCallId};

/// SHA-256 over the id, the tool and the arguments of a call. It is not shortened: a client may influence the
/// arguments, so it must not be able to find two calls with one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallDigest(pub(super) [u8; Self::LEN]);

impl CallDigest {
    pub(super) const LEN: usize = 32;

    pub(super) fn of(call: &ToolCall) -> Self {
        Self::of_parts(&call.id, &call.function.name, &call.function.arguments)
    }

    pub(super) fn of_parts(id: &ToolCallId, tool: &str, arguments: &str) -> Self {
        let mut hash = Sha256::new_with_prefix(b"agui-rust call 1");
        field(&mut hash, id.as_str());
        field(&mut hash, tool);
        arguments::update(&mut hash, arguments);
        Self(hash.finalize().into())
    }
}

/// Hashes a text after its length, so that no two lists of texts are hashed alike.
pub(super) fn field(hash: &mut impl Digest, text: &str) {
    hash.update((text.len() as u64).to_be_bytes());
    hash.update(text);
}
