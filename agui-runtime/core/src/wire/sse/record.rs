//! The decoder's records.

use std::borrow::Cow;

/// One record in a stream of server-sent events.
///
/// ```
/// use agui_runtime::wire::sse::{Decoder, Record, RecordTooLong};
///
/// let mut decoder = Decoder::new();
/// decoder.push(b"id: run.7\nevent: status\ndata: one\ndata: two\n\n");
/// let Some(Record { id, event, data, .. }) = decoder.next_record()? else { panic!("no record") };
/// assert_eq!((id.as_deref(), event.as_deref(), &*data), (Some("run.7"), Some("status"), "one\ntwo"));
/// # Ok::<(), RecordTooLong>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record<'d> {
    /// The `id:` value, if present: a reconnecting client sends the value as `Last-Event-ID`.
    pub id: Option<Cow<'d, str>>,
    /// The `event:` value, if present.
    pub event: Option<Cow<'d, str>>,
    /// The `data:` values, joined by LF.
    pub data: Cow<'d, str>,
}

/// A server-sent record longer than the reader's limit.
///
/// ```
/// let error = agui_runtime::wire::sse::RecordTooLong { limit: 1024 };
/// assert_eq!(error.to_string(), "a record of the event stream is longer than 1024 bytes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record of the event stream is longer than {limit} bytes")]
pub struct RecordTooLong {
    /// The limit in bytes.
    pub limit: usize,
}
