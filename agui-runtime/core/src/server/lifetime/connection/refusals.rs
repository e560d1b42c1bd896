//! Refusals that hyper sends by itself, before any service sees the request. They are counted in the outgoing bytes.

use crate::server::metrics;

/// Frame header length (RFC 9113, section 4.1), and the frame types that refuse.
const HEADER: usize = 9;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;

/// Error code for a stream beyond the connection's limit (RFC 9113, section 7).
const REFUSED_STREAM: [u8; 4] = [0, 0, 0, 7];

/// `:status: 431` as h2 writes it for the first time; later one byte, a table index (RFC 7541, section 6). All other heads have
/// more than the status.
const TOO_LARGE: [u8; 5] = [0x48, 0x83, 0x69, 0x90, 0xff];

/// Counts refusals in the bytes that a connection wrote over HTTP/1 or HTTP/2.
#[derive(Debug, Default)]
pub(super) struct RefusalCounter {
    /// The current frame's first bytes.
    frame: Vec<u8>,
    /// Remaining bytes in the frame that are skipped.
    rest: usize,
}

impl RefusalCounter {
    /// Counts an HTTP/1 head refusal that belongs to no request.
    pub(super) fn count_without_request(bytes: &[u8]) {
        if bytes.starts_with(b"HTTP/1.1 431 ") {
            metrics::refused("header_too_large");
        }
    }

    /// Counts HTTP/2 stream refusals.
    pub(super) fn count_frames(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.rest > 0 {
                let skipped = self.rest.min(bytes.len());
                self.rest -= skipped;
                bytes = bytes.get(skipped..).unwrap_or_default();
                continue;
            }
            let wanted = HEADER + if self.frame.len() < HEADER { 0 } else { self.inspected_len() };
            let (now, later) = bytes.split_at((wanted - self.frame.len()).min(bytes.len()));
            self.frame.extend_from_slice(now);
            bytes = later;
            if self.frame.len() >= HEADER && self.frame.len() == HEADER + self.inspected_len() {
                self.count();
                self.rest = self.payload_len() - self.inspected_len();
                self.frame.clear();
            }
        }
    }

    /// Returns the current frame's payload length.
    fn payload_len(&self) -> usize {
        self.frame.iter().take(3).fold(0, |length, byte| length << 8 | usize::from(*byte))
    }

    /// Returns the number of payload bytes that are inspected.
    fn inspected_len(&self) -> usize {
        self.payload_len().min(TOO_LARGE.len())
    }

    fn count(&self) {
        let payload = self.frame.get(HEADER..).unwrap_or_default();
        match self.frame.get(3) {
            Some(&RST_STREAM) if payload == REFUSED_STREAM => metrics::refused("too_many_streams"),
            Some(&HEADERS)
                if self.payload_len() == 1 || payload == TOO_LARGE && self.payload_len() == payload.len() =>
            {
                metrics::refused("header_too_large");
            }
            _ => {}
        }
    }
}
