//! The binary transport (AG-UI 1.0, section "Transports"): protobuf messages, each behind its length.
//!
//! | file | holds |
//! |---|---|
//! | `ag_ui.proto` | the schema, as it ships in npm 1.0.0, for people and for generators |
//! | `envelope` | the 31 members of the message `Event`: number, type, struct |
//! | `table` `odd` `content` `patch` | the fields of every message, each once |
//! | `schema` | what a table is made of |
//! | `out` `fields` | the bytes themselves, written and read |
//! | `value` | any JSON value ⇄ `google.protobuf.Value` |
//! | `take` | the fast way in: straight into the types, what is well-formed |
//! | `careful` `shape` | the careful way in: into JSON, whatever it is, for enforcement to judge |
//! | `frame` | where messages end |
//!
//! # Why the bytes are read and written here
//!
//! A generated codec owns its messages: an event would be copied into one to be written, and out of one when it is read. And it is not
//! what the official reader is: that one takes text that is not UTF-8, fields of a wrong kind and values of any depth, and refuses two
//! members of one `oneof`; the runs that end or go on by that have to end or go on here as well. So prost's code, generated from
//! `ag_ui.proto`, is what the tests compare with.

mod careful;
mod content;
mod envelope;
mod error;
mod fields;
mod frame;
mod odd;
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
pub use error::{DecodeError, Fault};
pub use frame::{Decoder, FrameError, MAX_FRAME};

/// The media type of the stream. Official clients compare it exactly: no parameters, no other case.
pub const CONTENT_TYPE: &str = "application/vnd.ag-ui.event+proto";

/// Appends the frame of one event to a buffer, which the caller reuses.
///
/// # Errors
/// When the event cannot be read by anybody; the buffer is then as it was before.
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

/// An event that is not written, because nobody could read it.
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
    /// A document that was written as text is nested deeper than a JSON reader takes.
    #[error("a document in the event cannot be read: {0}")]
    NotJson(serde_json::Error),
    /// It is longer than official clients take.
    #[error("a message of {length} bytes is longer than clients take, which is {MAX_FRAME} with its length")]
    TooLong {
        /// How many bytes it has.
        length: usize,
    },
}
