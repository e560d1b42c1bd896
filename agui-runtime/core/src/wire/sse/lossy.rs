//! Converts bytes that may not be UTF-8 to text.

use std::borrow::Cow;

/// Replaces invalid UTF-8 with U+FFFD, like [`String::from_utf8_lossy`]. That function's text grows by doubling; this one has the
/// final capacity from the start, which is at most three times the bytes.
#[inline]
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(replaced(bytes)), Cow::Borrowed)
}

#[cold]
fn replaced(bytes: &[u8]) -> String {
    let replaced = |invalid: &[u8]| if invalid.is_empty() { "" } else { "\u{FFFD}" };
    let size = bytes.utf8_chunks().map(|chunk| chunk.valid().len() + replaced(chunk.invalid()).len()).sum();
    let mut text = String::with_capacity(size);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(replaced(chunk.invalid()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_equals_from_utf8_lossy_without_spare_capacity() {
        let bytes: [&[u8]; 7] = [
            b"",
            "naïve 🦀".as_bytes(),
            b"\xFF",
            b"a\xE2\x82",
            b"\xE2\x82b",
            b"\xF0\x9F\xA6\xC3\xA9\xED\xA0\x80",
            &[0xFF; 99],
        ];
        for bytes in bytes {
            let text = text_of(bytes);
            assert_eq!(text, String::from_utf8_lossy(bytes));
            if let Cow::Owned(text) = text {
                assert_eq!(text.capacity(), text.len());
            }
        }
    }
}
