//! Server-sent events (AG-UI 1.0, section "Server-sent events"): one `data:` line with JSON, then an empty line. LF only.

mod decode;
mod lossy;
mod record;

use crate::protocol::Event;
use crate::protocol::forms::print::JsonPrint as _;

pub use decode::{Decoder, MAX_RECORD};
pub use record::{Record, RecordTooLong};

/// The stream's media type.
///
/// ```
/// use agui_runtime::wire::sse;
///
/// let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n", sse::CONTENT_TYPE);
/// assert!(head.contains("Content-Type: text/event-stream\r\n"));
/// ```
pub const CONTENT_TYPE: &str = "text/event-stream";

/// A comment, which every reader skips: keeps a quiet connection open.
///
/// ```
/// use agui_runtime::wire::sse;
///
/// let mut decoder = sse::Decoder::new();
/// decoder.push(sse::KEEP_ALIVE);
/// assert_eq!(decoder.next()?, None);
/// # Ok::<(), sse::RecordTooLong>(())
/// ```
pub const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// Appends one event to a buffer, which the caller reuses. Every event has a JSON form, so this function never fails.
///
/// ```
/// use agui_runtime::protocol::StepStartedEvent;
/// use agui_runtime::wire::sse;
///
/// let mut bytes = Vec::new();
/// sse::encode(&StepStartedEvent::new("plan").into(), &mut bytes);
/// assert_eq!(bytes, b"data: {\"type\":\"STEP_STARTED\",\"stepName\":\"plan\"}\n\n");
/// ```
#[inline]
pub fn encode(event: &Event, out: &mut Vec<u8>) {
    out.extend_from_slice(b"data: ");
    event.print(out);
    out.extend_from_slice(b"\n\n");
}

/// Appends the next event's id, which must not contain a line break (HTML standard, section "Server-sent events").
#[cfg(feature = "server")]
pub(crate) fn encode_id(id: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"id: ");
    out.extend_from_slice(id.as_bytes());
    out.push(b'\n');
}

/// Appends one event from a single line of JSON text.
#[cfg(feature = "server")]
pub(crate) fn encode_text(json: &[u8], id: &str, out: &mut Vec<u8>) {
    encode_text_start(id, out);
    out.extend_from_slice(json);
    out.extend_from_slice(TEXT_END);
}

/// Appends the bytes before an event's text.
#[cfg(feature = "server")]
pub(crate) fn encode_text_start(id: &str, out: &mut Vec<u8>) {
    encode_id(id, out);
    out.extend_from_slice(b"data: ");
}

/// The bytes after an event's text.
#[cfg(feature = "server")]
pub(crate) const TEXT_END: &[u8] = b"\n\n";
