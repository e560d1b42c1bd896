//! The mark on messages that a model broke off while the run went on with another model.

use crate::kernel::EventFields;
use crate::protocol::Metadata;

const KEY: &str = "agui-rust/brokenOff";

/// Returns the fields of an END that marks the message.
pub(super) fn mark() -> EventFields {
    EventFields::new().with_metadata(Metadata::from_iter([(KEY.to_owned(), true.into())]))
}

/// True for a marked message, which models do not read.
pub(super) fn is_marked(metadata: Option<&Metadata>) -> bool {
    metadata.and_then(|metadata| metadata.get(KEY)).is_some_and(|mark| *mark == true)
}
