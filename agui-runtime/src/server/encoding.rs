//! The encodings of a stream.

use http::HeaderValue;

use super::heartbeat::Heartbeat;
use crate::Peer;
use crate::protocol::Event;
use crate::wire::{proto, snake_case, sse};

/// How the events of a run are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Sse,
    Proto,
    /// Not AG-UI: the records of another contract.
    SnakeCase,
}

impl Encoding {
    /// Exactly the media type, which is how clients compare it.
    pub(super) fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Sse | Self::SnakeCase => sse::CONTENT_TYPE,
            Self::Proto => proto::CONTENT_TYPE,
        })
    }

    /// The writer of the heartbeats of a stream to this peer.
    pub(super) fn heartbeat(self, peer: Peer) -> Heartbeat {
        match self {
            Self::Sse | Self::SnakeCase => Heartbeat::Comment,
            Self::Proto => Heartbeat::binary(peer),
        }
    }
}

/// What writes one run.
#[derive(Debug)]
pub(super) enum Encoder {
    Sse,
    Proto,
    SnakeCase(snake_case::Writer),
}

impl From<Encoding> for Encoder {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Sse => Self::Sse,
            Encoding::Proto => Self::Proto,
            Encoding::SnakeCase => Self::SnakeCase(snake_case::Writer::new()),
        }
    }
}

impl Encoder {
    /// Appends an event, if there is a way to say it.
    pub(super) fn encode(&mut self, event: &Event, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        match self {
            Self::Sse => sse::encode(event, out),
            Self::Proto => proto::encode(event, out)?,
            Self::SnakeCase(writer) => writer.encode(event, out)?,
        }
        Ok(())
    }
}

/// An event that cannot be sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unwritable {
    #[error("an event has no binary form: {0}")]
    Proto(#[from] proto::EncodeError),
    #[error("an event has no form in the snake_case dialect: {0}")]
    Dialect(#[from] snake_case::DialectError),
}
