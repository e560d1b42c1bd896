//! The refusals that hyper answers by itself, so that no service sees their requests: they are counted by the bytes that go out.

use crate::server::metrics;

/// The length of a frame's header (RFC 9113, section 4.1), and the types of the frames that refuse.
const HEADER: usize = 9;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;

/// The error of a stream beyond the limit of a connection (RFC 9113, section 7).
const REFUSED_STREAM: [u8; 4] = [0, 0, 0, 7];

/// `:status: 431` as h2 writes it for the first time; then it is one byte, the number of an entry in a table (RFC 7541,
/// section 6). All other heads have more than the status.
const TOO_LARGE: [u8; 5] = [0x48, 0x83, 0x69, 0x90, 0xff];

/// The bytes that a connection over HTTP/1 or HTTP/2 wrote.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// The beginning of the current frame.
    frame: Vec<u8>,
    /// The number of its bytes that are still to come and are not looked at.
    rest: usize,
}

impl Refusals {
    /// Counts the refusal of a head over HTTP/1 that no request belongs to.
    pub(super) fn wrote_unasked(bytes: &[u8]) {
        if bytes.starts_with(b"HTTP/1.1 431 ") {
            metrics::refused("header_too_large");
        }
    }

    /// Counts the refusals of streams over HTTP/2.
    pub(super) fn wrote_frames(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.rest > 0 {
                let skipped = self.rest.min(bytes.len());
                self.rest -= skipped;
                bytes = bytes.get(skipped..).unwrap_or_default();
                continue;
            }
            let wanted = HEADER + if self.frame.len() < HEADER { 0 } else { self.seen() };
            let (now, later) = bytes.split_at((wanted - self.frame.len()).min(bytes.len()));
            self.frame.extend_from_slice(now);
            bytes = later;
            if self.frame.len() >= HEADER && self.frame.len() == HEADER + self.seen() {
                self.count();
                self.rest = self.length() - self.seen();
                self.frame.clear();
            }
        }
    }

    /// Returns the length of the current frame's payload.
    fn length(&self) -> usize {
        self.frame.iter().take(3).fold(0, |length, byte| length << 8 | usize::from(*byte))
    }

    /// Returns the number of bytes of the payload that are looked at.
    fn seen(&self) -> usize {
        self.length().min(TOO_LARGE.len())
    }

    fn count(&self) {
        let payload = self.frame.get(HEADER..).unwrap_or_default();
        match self.frame.get(3) {
            Some(&RST_STREAM) if payload == REFUSED_STREAM => metrics::refused("too_many_streams"),
            Some(&HEADERS)
                if self.length() == 1 || payload == TOO_LARGE && self.length() == payload.len() =>
            {
                metrics::refused("header_too_large");
            }
            _ => {}
        }
    }
}
