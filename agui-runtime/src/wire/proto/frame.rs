//! Where one message ends and the next begins.

use std::fmt;

use crate::wire::room::make_room;

/// How long a frame may get when nothing else is said, its length included: what the official clients hold at most, 10 · 2²⁰ bytes.
pub const MAX_FRAME: usize = 10 << 20;

/// The length before each message: four bytes, the highest first.
pub(super) const HEADER: usize = 4;

/// Bytes of a response in, however they were cut; the messages of its frames out.
///
/// The messages are for [`Intake::proto`](crate::receive::Intake::proto), as the payloads of the other
/// [`Decoder`](crate::wire::sse::Decoder) are for [`Intake::text`](crate::receive::Intake::text) (AG-UI 1.0, section "Binary framing").
/// The decoder is a plain state machine: it reads nothing by itself and knows no messages.
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
    /// Where the frame begins that is being read.
    frame: usize,
    /// How long the frame says it is that is too long: nothing behind it is read.
    refused: Option<u32>,
    limit: usize,
}

impl Decoder {
    /// A decoder for one response.
    ///
    /// ```
    /// assert!(agui_runtime::wire::proto::Decoder::new().finish().is_ok());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { buffer: Vec::new(), frame: 0, refused: None, limit: MAX_FRAME }
    }

    /// How many bytes a frame may have, the four of its length included; [`MAX_FRAME`] when not said.
    ///
    /// So much memory a peer can make the decoder hold, besides what is pushed before it is asked. What a length says takes no memory, only
    /// what comes does, and after an error nothing is held.
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::proto::Decoder::new().max_frame(16);
    /// decoder.push(&[0, 0, 0, 13]);
    /// assert!(decoder.next().is_err(), "17 bytes, whether they come or not");
    /// ```
    #[must_use]
    pub fn max_frame(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Takes the next bytes of the response. Nothing is decoded before [`next`](Self::next) is asked; once that has given an error,
    /// nothing is kept either.
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::proto::Decoder::new();
    /// for piece in [&[0, 0][..], &[0, 1, 7]] {
    ///     decoder.push(piece);
    /// }
    /// assert_eq!(decoder.next()?, Some(&[7][..]));
    /// # Ok::<(), agui_runtime::wire::proto::FrameError>(())
    /// ```
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

    /// How many bytes of memory it holds: what was pushed and not read yet, and the room around it.
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::proto::Decoder::new();
    /// decoder.push(&[0, 100, 0, 0, 1, 2, 3]);
    /// assert_eq!(decoder.next()?, None, "of 6.5 MB three bytes have come");
    /// assert!(decoder.held() < 16);
    /// # Ok::<(), agui_runtime::wire::proto::FrameError>(())
    /// ```
    #[must_use]
    pub fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// The message of the next complete frame; `None` until more bytes are pushed. It may be empty, which is no event.
    ///
    /// # Errors
    /// [`FrameError::TooLong`] as soon as a frame says so of itself, and on every further call.
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::proto::Decoder::new();
    /// decoder.push(&[0, 0, 0, 1, 7, 0, 0, 0, 2, 8, 9, 0]);
    /// assert_eq!(decoder.next()?, Some(&[7][..]));
    /// assert_eq!(decoder.next()?, Some(&[8, 9][..]));
    /// assert_eq!(decoder.next()?, None);
    /// # Ok::<(), agui_runtime::wire::proto::FrameError>(())
    /// ```
    #[allow(
        clippy::should_implement_trait,
        reason = "what it gives borrows the decoder, which an iterator cannot"
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

    /// Says that the response has ended. Ask [`next`](Self::next) for the complete frames first.
    ///
    /// # Errors
    /// [`FrameError::Truncated`] if it ended inside of a frame, [`FrameError::TooLong`] again after a frame that was.
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::proto::Decoder::new();
    /// decoder.push(&[0, 0, 0, 9, 0x7a]);
    /// assert_eq!(decoder.finish().unwrap_err().to_string(), "the stream ends inside of a frame, of which it has 5 bytes");
    /// ```
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

/// A response that is not one frame after the other.
///
/// ```
/// let error = agui_runtime::wire::proto::FrameError::TooLong { declared: 13, limit: 16 };
/// assert_eq!(error.to_string(), "a frame of 13 bytes and its length is longer than 16 bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// A frame is longer than the reader is willing to hold.
    #[error("a frame of {declared} bytes and its length is longer than {limit} bytes")]
    TooLong {
        /// How long it says its message is.
        declared: u32,
        /// How long a frame may be, with the four bytes of its length.
        limit: usize,
    },
    /// The response ended before a frame did.
    #[error("the stream ends inside of a frame, of which it has {held} bytes")]
    Truncated {
        /// How many bytes of the frame came, the four of its length among them.
        held: usize,
    },
}
