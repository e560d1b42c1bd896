//! Stream encodings.

use http::HeaderValue;

use super::heartbeat::HeartbeatWriter;
#[cfg(feature = "dialect")]
use crate::dialect::snake_case;
use crate::kernel::Peer;
use crate::protocol::Event;
use crate::wire::{proto, sse};

/// The encoding for a run's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) enum StreamEncoding {
    Sse,
    Proto,
    /// snake_case dialect records, which are not AG-UI.
    #[cfg(feature = "dialect")]
    SnakeCase,
}

impl StreamEncoding {
    /// Returns exactly the media type, because clients compare the whole header.
    pub(super) fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Sse => sse::CONTENT_TYPE,
            #[cfg(feature = "dialect")]
            Self::SnakeCase => sse::CONTENT_TYPE,
            Self::Proto => proto::CONTENT_TYPE,
        })
    }

    /// Returns the heartbeat writer for a stream to this peer.
    pub(super) fn heartbeat(self, peer: Peer) -> HeartbeatWriter {
        match self {
            Self::Sse => HeartbeatWriter::Comment,
            #[cfg(feature = "dialect")]
            Self::SnakeCase => HeartbeatWriter::Comment,
            Self::Proto => HeartbeatWriter::binary(peer),
        }
    }
}

/// One run's encoder.
#[derive(Debug)]
pub(super) enum StreamEncoder {
    Sse,
    Proto,
    #[cfg(feature = "dialect")]
    SnakeCase(snake_case::Writer),
}

impl From<StreamEncoding> for StreamEncoder {
    fn from(encoding: StreamEncoding) -> Self {
        match encoding {
            StreamEncoding::Sse => Self::Sse,
            StreamEncoding::Proto => Self::Proto,
            #[cfg(feature = "dialect")]
            StreamEncoding::SnakeCase => Self::SnakeCase(snake_case::Writer::new()),
        }
    }
}

impl StreamEncoder {
    /// Appends the next event's id, if the encoding has ids.
    pub(super) fn identify(&self, id: &str, out: &mut Vec<u8>) {
        if let Self::Sse = self {
            sse::encode_id(id, out);
        }
    }

    /// Appends an event, if the encoding can express the event.
    pub(super) fn encode(&mut self, event: &Event, out: &mut Vec<u8>) -> Result<(), UnencodableEvent> {
        match self {
            Self::Sse => sse::encode(event, out),
            Self::Proto => proto::encode(event, out)?,
            #[cfg(feature = "dialect")]
            Self::SnakeCase(writer) => writer.encode(event, out)?,
        }
        Ok(())
    }
}

/// An event that cannot be sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnencodableEvent {
    #[error("an event has no binary form: {0}")]
    Proto(#[from] proto::EncodeError),
    #[cfg(feature = "dialect")]
    #[error("an event has no form in the snake_case dialect: {0}")]
    Dialect(#[from] snake_case::DialectError),
}
