//! The two encodings of a stream.

use http::HeaderValue;

use crate::protocol::Event;
use crate::wire::{proto, sse};

/// How the events of a run are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Sse,
    Proto,
}

impl Encoding {
    /// Exactly the media type, which is how clients compare it.
    pub(super) fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Sse => sse::CONTENT_TYPE,
            Self::Proto => proto::CONTENT_TYPE,
        })
    }

    /// Appends an event.
    pub(super) fn encode(self, event: &Event, out: &mut Vec<u8>) -> Result<(), proto::EncodeError> {
        match self {
            Self::Sse => sse::encode(event, out),
            Self::Proto => proto::encode(event, out)?,
        }
        Ok(())
    }

    /// What says that the run still goes on. The binary transport has no way to say nothing.
    pub(super) fn keep_alive(self) -> Option<&'static [u8]> {
        match self {
            Self::Sse => Some(sse::KEEP_ALIVE),
            Self::Proto => None,
        }
    }
}
