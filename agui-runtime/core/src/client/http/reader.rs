//! From bytes to frames: the one place that knows the wire formats.

use std::borrow::Cow;

#[cfg(feature = "dialect")]
use super::snake_case::Dialect;
#[cfg(feature = "dialect")]
use crate::client::Warnings;
use crate::client::{ClientError, Frame};
#[cfg(feature = "dialect")]
use crate::protocol::RunAgentInput;
use crate::wire::{proto, sse};

/// A decoder for one wire format, chosen by the content type (AG-UI 1.0, section "Response handling in the client").
#[derive(Debug)]
pub(super) enum Reader {
    Sse(sse::Decoder),
    Binary(proto::Decoder),
    #[cfg(feature = "dialect")]
    SnakeCase(Box<Dialect>),
}

/// A frame with the event `id`, which only server-sent events have.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) frame: Frame,
    pub(super) id: Option<String>,
}

impl From<sse::Record<'_>> for Received {
    fn from(record: sse::Record<'_>) -> Self {
        Self { frame: Frame::Text(record.data.into_owned()), id: record.id.map(Cow::into_owned) }
    }
}

impl From<Frame> for Received {
    fn from(frame: Frame) -> Self {
        Self { frame, id: None }
    }
}

impl Reader {
    /// Creates a reader for this content type: every type except the binary one is read as server-sent events.
    pub(super) fn of(content_type: &str, max_frame: usize) -> Self {
        match content_type {
            proto::CONTENT_TYPE => Self::Binary(proto::Decoder::new().max_frame(max_frame)),
            _ => Self::Sse(sse::Decoder::new().max_record(max_frame)),
        }
    }

    /// Creates a reader for a snake_case response to this input; the content type is ignored.
    #[cfg(feature = "dialect")]
    pub(super) fn of_dialect(input: &RunAgentInput, max_frame: usize, warnings: Warnings) -> Self {
        Self::SnakeCase(Box::new(Dialect::new(input, max_frame, warnings)))
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Sse(decoder) => decoder.push(bytes),
            Self::Binary(decoder) => decoder.push(bytes),
            #[cfg(feature = "dialect")]
            Self::SnakeCase(dialect) => dialect.push(bytes),
        }
    }

    /// Returns the next complete frame.
    pub(super) fn next(&mut self) -> Result<Option<Received>, ClientError> {
        Ok(match self {
            Self::Sse(decoder) => decoder.next_record()?.map(Into::into),
            Self::Binary(decoder) => decoder.next()?.map(|message| Frame::Binary(message.to_vec()).into()),
            #[cfg(feature = "dialect")]
            Self::SnakeCase(dialect) => dialect.next(false)?.map(Into::into),
        })
    }

    /// Returns the next remaining frame after the end of the bytes; call it until it returns `None`.
    pub(super) fn finish(&mut self) -> Result<Option<Received>, ClientError> {
        Ok(match self {
            Self::Sse(decoder) => decoder.finish_record()?.map(Into::into),
            Self::Binary(decoder) => {
                decoder.finish()?;
                None
            }
            #[cfg(feature = "dialect")]
            Self::SnakeCase(dialect) => dialect.next(true)?.map(Into::into),
        })
    }
}
