//! String scanning.

use std::borrow::Cow;

use super::JsonScanner;

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// Returns the number of leading bytes that represent themselves in a string: up to a quote, a backslash or a control character.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let special = zero_bytes(word ^ (ONES * u64::from(b'"')))
            | zero_bytes(word ^ (ONES * u64::from(b'\\')))
            | (word.wrapping_sub(ONES * 0x20) & !word & HIGHS);
        if special != 0 {
            // The lowest mark is always correct; a borrow can only cause false marks above it.
            return len + special.trailing_zeros() as usize / 8;
        }
        len += 8;
        rest = after;
    }
    len + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..0x20)).unwrap_or(rest.len())
}

/// Sets the high bit of every zero byte, and possibly of bytes above one.
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

impl<'t> JsonScanner<'t> {
    /// Reads a string without escapes.
    #[inline]
    pub(crate) fn plain(&mut self) -> Option<&'t str> {
        self.expect(b'"')?;
        self.plain_rest()
    }

    /// Reads the rest of a string without escapes, after the opening quote.
    #[inline]
    pub(super) fn plain_rest(&mut self) -> Option<&'t str> {
        let text = self.take(plain_len(self.rest()))?;
        self.expect(b'"')?;
        Some(text)
    }

    /// Reads a string.
    #[inline]
    pub(crate) fn string(&mut self) -> Option<Cow<'t, str>> {
        self.expect(b'"')?;
        let text = self.take(plain_len(self.rest()))?;
        match self.next()? {
            b'"' => Some(Cow::Borrowed(text)),
            b'\\' => self.escaped(text).map(Cow::Owned),
            _ => None,
        }
    }

    /// Reads the rest of a string, after the first backslash.
    #[cold]
    fn escaped(&mut self, before: &str) -> Option<String> {
        // No escape is shorter than the character it represents, so the length of the rest is enough
        // capacity.
        let rest = self.measure(|rest| rest.next().and_then(|_| rest.skip_string()))?;
        let mut text = String::with_capacity(before.len() + rest);
        text.push_str(before);
        loop {
            text.push(match self.next()? {
                b'n' => '\n',
                byte @ (b'"' | b'\\' | b'/') => char::from(byte),
                b't' => '\t',
                b'r' => '\r',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'u' => self.unicode()?,
                _ => return None,
            });
            text.push_str(self.take(plain_len(self.rest()))?);
            match self.next()? {
                b'"' => return Some(text),
                b'\\' => {}
                _ => return None,
            }
        }
    }

    /// Reads one `\u` escape or surrogate pair as a character.
    fn unicode(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        self.expect(b'\\')?;
        self.expect(b'u')?;
        let second = self.unit()?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + second)
    }

    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit << 4 | char::from(self.next()?).to_digit(16)?;
        }
        Some(unit)
    }

    /// Skips a string, after the opening quote.
    pub(super) fn skip_string(&mut self) -> Option<()> {
        loop {
            self.skip(plain_len(self.rest()));
            match self.next()? {
                b'"' => return Some(()),
                b'\\' => _ = self.next()?,
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain_len;

    #[test]
    fn the_plain_prefix_is_measured_at_every_place_of_a_word() {
        for special in [b'"', b'\\', 0x00, 0x1f, b'\n'] {
            for len in 0..40 {
                for filler in [b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
                    let mut bytes = vec![filler; len];
                    assert_eq!(plain_len(&bytes), len);
                    bytes.push(special);
                    bytes.extend([special, filler, special, b'"', b'\\', filler, filler, filler, filler]);
                    assert_eq!(plain_len(&bytes), len, "{special:#x} behind {len} times {filler:#x}");
                }
            }
        }
    }
}
