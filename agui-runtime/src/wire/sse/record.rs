//! What the decoder gives.

use std::borrow::Cow;

/// One record of a stream of server-sent events.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record<'d> {
    /// What its `event:` line says, if it has one.
    pub event: Option<Cow<'d, str>>,
    /// What its `data:` lines say, joined by LF.
    pub data: Cow<'d, str>,
}

/// A record of a stream of server-sent events that is longer than the reader is willing to hold.
///
/// ```
/// let error = agui_runtime::wire::sse::RecordTooLong { limit: 1024 };
/// assert_eq!(error.to_string(), "a record of the event stream is longer than 1024 bytes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record of the event stream is longer than {limit} bytes")]
pub struct RecordTooLong {
    /// How many bytes it may have.
    pub limit: usize,
}
