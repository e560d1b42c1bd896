//! Texts that hold a share of a limit until the last copy is dropped.

use bytes::Bytes;

struct BudgetedText<S> {
    text: Vec<u8>,
    _share: S,
}

impl<S> AsRef<[u8]> for BudgetedText<S> {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// Returns the text as bytes. The last copy drops the share.
pub(in crate::server) fn held_text<S: Send + 'static>(text: Vec<u8>, share: S) -> Bytes {
    Bytes::from_owner(BudgetedText { text, _share: share })
}
