//! Framing: message boundaries in a response.

use std::fmt;

use crate::wire::room::make_room;

/// The default frame limit in bytes, header included: 10 · 2²⁰, as in the official clients.
///
/// ```
/// use agui_runtime::wire::proto::{Decoder, MAX_FRAME};
///
/// let mut decoder = Decoder::new();
/// decoder.push(&u32::try_from(MAX_FRAME)?.to_be_bytes());
/// assert!(decoder.next().is_err(), "with its header the frame would be longer than that");
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
pub const MAX_FRAME: usize = 10 << 20;

/// The length before each message: four bytes, the highest first.
pub(super) const HEADER: usize = 4;

/// Splits a response's bytes, pushed in chunks of any size, into frame messages.
///
/// The messages are for [`FrameIntake::proto`](crate::receive::FrameIntake::proto), as the other [`Decoder`](crate::wire::sse::Decoder)'s
/// payloads are for [`FrameIntake::text`](crate::receive::FrameIntake::text) (AG-UI 1.0, section "Binary framing"). The decoder is a plain
/// state machine: no I/O, no parsing.
///
/// ```
/// use agui_runtime::wire::proto;
///
/// let mut decoder = proto::Decoder::new();
/// decoder.push(&[0, 0, 0, 9, 0x7a, 0x07, 0x0a, 0x02]);
/// assert_eq!(decoder.next()?, None);
/// decoder.push(&[0x08, 0x0e, 0x12, 0x01, b's']);
/// assert_eq!(decoder.next()?, Some(&[0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0e, 0x12, 0x01, b's'][..]));
/// decoder.finish()?;
/// # Ok::<(), proto::FrameError>(())
/// ```
pub struct Decoder {
    buffer: Vec<u8>,
    /// The current frame's offset.
    frame: usize,
    /// The declared length of a frame beyond the limit; nothing after that frame is read.
    refused: Option<u32>,
    limit: usize,
}

impl Decoder {
    /// Creates a decoder for one response.
    ///
    /// ```
    /// assert!(agui_runtime::wire::proto::Decoder::new().finish().is_ok());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { buffer: Vec::new(), frame: 0, refused: None, limit: MAX_FRAME }
    }

    /// Sets the frame limit in bytes, the four-byte header included; the default is [`MAX_FRAME`].
    ///
    /// A peer can make the decoder buffer that much memory, plus the bytes pushed between two calls to [`next`](Self::next). Only
    /// received bytes take memory, not a declared length; after an error the buffer is empty.
    #[must_use]
    pub fn max_frame(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Adds the response's next bytes. [`next`](Self::next) decodes them. After an error they are dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.refused.is_some() {
            return;
        }
        if self.frame > 0 {
            self.buffer.drain(..self.frame);
            self.frame = 0;
        }
        make_room(&mut self.buffer, bytes.len(), self.limit);
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the buffer size in bytes: pushed bytes that were not read yet, and spare capacity.
    #[must_use]
    pub fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// Returns the next complete frame's message; `None` until more bytes are pushed. The message may be empty, which is not an
    /// event.
    ///
    /// # Errors
    /// [`FrameError::TooLong`] as soon as a frame declares a length beyond the limit, and on every further call.
    #[allow(
        clippy::should_implement_trait,
        reason = "the result borrows the decoder, which an iterator does not allow"
    )]
    pub fn next(&mut self) -> Result<Option<&[u8]>, FrameError> {
        let limit = self.limit;
        if let Some(declared) = self.refused {
            return Err(FrameError::TooLong { declared, limit });
        }
        let Some(header) = self.buffer.get(self.frame..).and_then(<[u8]>::first_chunk::<HEADER>) else {
            return Ok(None);
        };
        let declared = u32::from_be_bytes(*header);
        let size = usize::try_from(declared).unwrap_or(usize::MAX);
        if size.saturating_add(HEADER) > limit {
            *self = Self { refused: Some(declared), limit, ..Self::new() };
            return Err(FrameError::TooLong { declared, limit });
        }
        let start = self.frame + HEADER;
        let Some(message) = self.buffer.get(start..start + size) else { return Ok(None) };
        self.frame = start + size;
        Ok(Some(message))
    }

    /// Declares the response's end. Call [`next`](Self::next) for the complete frames first.
    ///
    /// # Errors
    /// [`FrameError::Truncated`] if the response ended within a frame; [`FrameError::TooLong`] again after a frame beyond the
    /// limit.
    pub fn finish(&self) -> Result<(), FrameError> {
        match (self.refused, self.buffer.len() - self.frame) {
            (Some(declared), _) => Err(FrameError::TooLong { declared, limit: self.limit }),
            (None, 0) => Ok(()),
            (None, held) => Err(FrameError::Truncated { held }),
        }
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("held", &self.held()).finish_non_exhaustive()
    }
}

/// A response that is not a sequence of complete frames.
///
/// ```
/// let error = agui_runtime::wire::proto::FrameError::TooLong { declared: 13, limit: 16 };
/// assert_eq!(error.to_string(), "a frame of 13 bytes and its header is longer than the limit of 16 bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// A frame is longer than the reader's limit.
    #[error("a frame of {declared} bytes and its header is longer than the limit of {limit} bytes")]
    TooLong {
        /// The declared message length in bytes.
        declared: u32,
        /// The limit in bytes, with the four header bytes.
        limit: usize,
    },
    /// The response ended within a frame.
    #[error("the stream ends inside of a frame, after {held} bytes of it")]
    Truncated {
        /// The number of received frame bytes, header included.
        held: usize,
    },
}
