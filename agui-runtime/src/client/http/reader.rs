//! Bytes in, frames out: the one place that knows the wire formats.

use crate::client::{ClientError, Frame};
use crate::wire::sse;

/// A decoder of one of the wire formats, chosen by the content type (AG-UI 1.0, section "Response handling in the client").
#[derive(Debug)]
pub(super) enum Reader {
    Sse(sse::Decoder),
}

impl Reader {
    /// For a response of this content type: whatever is not exactly binary is read as server-sent events.
    pub(super) fn of(_content_type: &str, max_frame: usize) -> Self {
        Self::Sse(sse::Decoder::new().max_record(max_frame))
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Sse(decoder) => decoder.push(bytes),
        }
    }

    /// The next frame that is complete.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, ClientError> {
        match self {
            Self::Sse(decoder) => Ok(decoder.next()?.map(|text| Frame::Text(text.into_owned()))),
        }
    }

    /// The last one, when no more bytes come.
    pub(super) fn finish(&mut self) -> Result<Option<Frame>, ClientError> {
        match self {
            Self::Sse(decoder) => Ok(decoder.finish()?.map(|text| Frame::Text(text.into_owned()))),
        }
    }
}
