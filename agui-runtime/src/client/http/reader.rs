//! Bytes in, frames out: the one place that knows the wire formats.

use crate::client::{ClientError, Frame};
use crate::wire::{proto, sse};

/// A decoder of one of the wire formats, chosen by the content type (AG-UI 1.0, section "Response handling in the client").
#[derive(Debug)]
pub(super) enum Reader {
    Sse(sse::Decoder),
    Binary(proto::Decoder),
}

impl Reader {
    /// For a response of this content type: whatever is not exactly binary is read as server-sent events.
    pub(super) fn of(content_type: &str, max_frame: usize) -> Self {
        match content_type {
            proto::CONTENT_TYPE => Self::Binary(proto::Decoder::new().max_frame(max_frame)),
            _ => Self::Sse(sse::Decoder::new().max_record(max_frame)),
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Sse(decoder) => decoder.push(bytes),
            Self::Binary(decoder) => decoder.push(bytes),
        }
    }

    /// The next frame that is complete.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, ClientError> {
        Ok(match self {
            Self::Sse(decoder) => decoder.next()?.map(|text| Frame::Text(text.into_owned())),
            Self::Binary(decoder) => decoder.next()?.map(|message| Frame::Binary(message.to_vec())),
        })
    }

    /// The last one, when no more bytes come.
    pub(super) fn finish(&mut self) -> Result<Option<Frame>, ClientError> {
        Ok(match self {
            Self::Sse(decoder) => decoder.finish()?.map(|text| Frame::Text(text.into_owned())),
            Self::Binary(decoder) => {
                decoder.finish()?;
                None
            }
        })
    }
}
