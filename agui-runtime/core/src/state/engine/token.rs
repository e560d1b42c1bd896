//! Fingerprints that match equal elements in two arrays. Matches are verified, so a weak fingerprint costs bytes, never
//! correctness.

use super::{JsonOut, WriteJson};

/// A JSON fingerprint under construction.
#[derive(Debug, Clone)]
pub struct ValueToken {
    state: u64,
    full: bool,
}

const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;
const SAMPLE: usize = 8;

impl ValueToken {
    pub(crate) const fn new(full: bool) -> Self {
        Self { state: 0x51_7C_C1_B7_27_22_0A_95, full }
    }

    /// Adds a number: a length, a variant index, an integer.
    #[inline]
    pub fn number(&mut self, number: u64) {
        self.state = (self.state.rotate_left(5) ^ number).wrapping_mul(PRIME);
    }

    /// Adds bytes: all of them in a full token, otherwise the length and both ends.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        if self.full || bytes.len() <= 2 * SAMPLE {
            for chunk in bytes.chunks(SAMPLE) {
                self.number(word(chunk));
            }
        } else {
            self.number(word(bytes.first_chunk::<SAMPLE>().map_or(&[][..], |chunk| chunk)));
            self.number(word(bytes.last_chunk::<SAMPLE>().map_or(&[][..], |chunk| chunk)));
        }
    }

    /// Adds a float, so that equal numbers add the same: `-0.0` counts as `0`, and NaN and the infinities as `null`.
    pub fn float(&mut self, number: f64) {
        if number.is_finite() {
            self.number((number + 0.0).to_bits());
        } else {
            self.null();
        }
    }

    /// Adds `null`, or a member that is absent.
    #[inline]
    pub fn null(&mut self) {
        self.number(0x6E75_6C6C);
    }

    /// Adds parts without an order, such as map members. Each part has its own token.
    pub fn unordered(&mut self, length: usize, parts: impl Iterator<Item = u64>) {
        self.number(length as u64);
        let sum = parts.fold(0_u64, u64::wrapping_add);
        self.number(sum);
    }

    /// Adds a value as text.
    #[cold]
    pub fn written(&mut self, value: &dyn WriteJson) {
        let mut text = JsonOut::default();
        value.json(&mut text);
        self.bytes(text.text.as_bytes());
    }

    /// Returns true if all bytes count, false if both ends of a long value are enough.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Returns an empty token with the same fullness.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Self::new(self.full)
    }

    /// Returns the fingerprint.
    #[must_use]
    pub fn finish(&self) -> u64 {
        let mixed = (self.state ^ (self.state >> 32)).wrapping_mul(PRIME);
        mixed ^ (mixed >> 29)
    }
}

fn word(chunk: &[u8]) -> u64 {
    let mut word = [0; SAMPLE];
    for (to, from) in word.iter_mut().zip(chunk) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}
