//! Shared ids, because ids repeat in a stream.

use std::sync::Arc;

/// The number of kept ids, a power of two.
const KEPT: usize = 16;

/// Recent ids, so that equal ids share one allocation instead of one per event.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownIds([Option<Arc<str>>; KEPT]);

impl KnownIds {
    pub(crate) fn share(&mut self, text: &str) -> Arc<str> {
        // Ids of one kind tend to have one length and to differ in their last character.
        let last = text.as_bytes().last().map_or(0, |byte| usize::from(*byte));
        let Some(slot) = self.0.get_mut((last ^ text.len()) % KEPT) else { return Arc::from(text) };
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            _ => Arc::clone(slot.insert(Arc::from(text))),
        }
    }
}
