//! Server-sent events (AG-UI 1.0, section "Server-sent events"): one `data:` line of JSON, then an empty line. LF only.

mod decode;

use crate::protocol::Event;

pub use decode::{Decoder, MAX_RECORD, Record, RecordTooLong};

/// The media type of the stream.
pub const CONTENT_TYPE: &str = "text/event-stream";

/// A comment every reader skips: keeps a quiet connection open.
pub const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// Appends one event to a buffer, which the caller reuses.
///
/// # Errors
/// When the event has no JSON form; the buffer is then as it was before. Events made by this crate always have one.
///
/// ```
/// use agui_runtime::protocol::StepStartedEvent;
/// use agui_runtime::wire::sse;
///
/// let mut bytes = Vec::new();
/// sse::encode(&StepStartedEvent::new("plan").into(), &mut bytes)?;
/// assert_eq!(bytes, b"data: {\"type\":\"STEP_STARTED\",\"stepName\":\"plan\"}\n\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn encode(event: &Event, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let before = out.len();
    out.extend_from_slice(b"data: ");
    serde_json::to_writer(&mut *out, event).inspect_err(|_| out.truncate(before))?;
    out.extend_from_slice(b"\n\n");
    Ok(())
}
