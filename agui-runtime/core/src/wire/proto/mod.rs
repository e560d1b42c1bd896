//! The binary transport (AG-UI 1.0, section "Transports"): length-prefixed protobuf messages.
//!
//! | file | holds |
//! |---|---|
//! | `ag_ui.proto` | the npm 1.0.0 schema with the members of 1.1, for people and for generators |
//! | `envelope` | the message `Event`, with a member for each row of the event table |
//! | `table` `flattened` `content` `patch` | every message's fields, each once |
//! | `schema` | the types that a table consists of |
//! | `out` `fields` | the bytes themselves, written and read |
//! | `value` | any JSON value ⇄ `google.protobuf.Value` |
//! | `take` | the fast reader: well-formed bytes directly into the types |
//! | `careful` `shape` | the careful reader: any bytes into JSON, which enforcement then checks |
//! | `frame` | message boundaries |
//!
//! # Why the codec is hand-written
//!
//! A generated codec owns the messages, so every event would be copied once for writing and once for reading. A generated codec
//! also differs from the official reader, which accepts text that is not UTF-8, fields with a wrong type and values at any depth,
//! and refuses two members in one `oneof`. A run that ends or continues there because of such a message must do the same here. So
//! the tests compare this codec with prost's code, generated from `ag_ui.proto`.

mod camel;
mod careful;
mod content;
mod envelope;
mod error;
mod fields;
mod flattened;
mod frame;
mod out;
mod patch;
mod schema;
mod shape;
mod table;
mod take;
mod value;

use crate::protocol::Event;

pub(crate) use envelope::take_into;
pub use envelope::{Decoded, decode};
pub use error::{DecodeError, DecodeFault};
pub use frame::{Decoder, FrameError, MAX_FRAME};

/// The stream's media type. Official clients compare the type exactly: no parameters, same case.
///
/// ```
/// use agui_runtime::wire::{proto, sse};
///
/// /// Returns the best transport that a client accepts.
/// fn chosen(accept: &str) -> &'static str {
///     if accept.split(',').any(|media| media.trim() == proto::CONTENT_TYPE) {
///         proto::CONTENT_TYPE
///     } else {
///         sse::CONTENT_TYPE
///     }
/// }
///
/// assert_eq!(chosen("application/vnd.ag-ui.event+proto, text/event-stream"), proto::CONTENT_TYPE);
/// assert_eq!(chosen("text/event-stream"), sse::CONTENT_TYPE);
/// ```
pub const CONTENT_TYPE: &str = "application/vnd.ag-ui.event+proto";

/// Appends one event's frame to a buffer, which the caller reuses.
///
/// # Errors
/// [`EncodeError`] if no client could read the event; the buffer is then unchanged.
///
/// ```
/// use agui_runtime::protocol::StepStartedEvent;
/// use agui_runtime::wire::proto;
///
/// let mut bytes = Vec::new();
/// proto::encode(&StepStartedEvent::new("s").into(), &mut bytes)?;
/// assert_eq!(bytes, [0, 0, 0, 9, 0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0e, 0x12, 0x01, b's']);
/// # Ok::<(), proto::EncodeError>(())
/// ```
pub fn encode(event: &Event, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let before = out.len();
    out.extend_from_slice(&[0; frame::HEADER]);
    let mut writer = out::Out { bytes: std::mem::take(out), error: None };
    envelope::write(event, &mut writer);
    *out = writer.bytes;
    let length = out.len() - before - frame::HEADER;
    let error = match (writer.error, u32::try_from(length), out.get_mut(before..)) {
        (None, Ok(declared), Some([header @ .., _])) if length + frame::HEADER <= MAX_FRAME => {
            for (byte, of) in header.iter_mut().zip(declared.to_be_bytes()) {
                *byte = of;
            }
            return Ok(());
        }
        (Some(error), ..) => EncodeError::NotJson(error),
        _ => EncodeError::TooLong { length },
    };
    out.truncate(before);
    Err(error)
}

/// An event that is not written because no client could read the message.
///
/// ```
/// use agui_runtime::protocol::TextMessageContentEvent;
/// use agui_runtime::wire::proto::{self, EncodeError};
///
/// let long = TextMessageContentEvent::new("m", "x".repeat(proto::MAX_FRAME));
/// let mut bytes = Vec::new();
/// assert!(matches!(proto::encode(&long.into(), &mut bytes), Err(EncodeError::TooLong { .. })));
/// assert!(bytes.is_empty());
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A document written as text is nested deeper than a JSON reader accepts.
    #[error("a document in the event cannot be read: {0}")]
    NotJson(serde_json::Error),
    /// The message is longer than official clients accept.
    #[error(
        "a message of {length} bytes is longer than clients accept: the limit is {MAX_FRAME} with its header"
    )]
    TooLong {
        /// The message length in bytes.
        length: usize,
    },
}
