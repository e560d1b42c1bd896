//! JSON string contents, with serde_json's escapes.

const BLOCK: usize = 32;
const WORD: usize = size_of::<u64>();

/// A destination for appended text.
pub(crate) trait TextSink {
    fn push_str(&mut self, text: &str);
}

impl TextSink for String {
    #[inline]
    fn push_str(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl TextSink for Vec<u8> {
    #[inline]
    fn push_str(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }
}

/// Appends `text`, escaped as JSON requires (RFC 8259, 7), without quotes.
#[inline]
pub(crate) fn write(text: &str, out: &mut impl TextSink) {
    if is_all_plain(text.as_bytes()) {
        out.push_str(text);
    } else {
        write_escaped(text, out);
    }
}

#[inline]
const fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

/// Most texts need no escape. A block is tested as a whole, which the compiler turns into vector instructions; the rest is tested
/// word by word, and most texts are shorter than a block.
#[inline]
fn is_all_plain(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let (words, _) = rest.as_chunks::<WORD>();
    let last = match (bytes.last_chunk::<WORD>(), bytes.first_chunk(), bytes.last_chunk()) {
        // Overlaps the word before it.
        (Some(last), ..) => *last,
        // Two halves, which overlap.
        (None, Some(first), Some(last)) => {
            let half = |half: &[u8; WORD / 2]| u64::from(u32::from_ne_bytes(*half));
            (half(first) | half(last) << 32).to_ne_bytes()
        }
        _ => {
            let mut last = [b' '; WORD];
            for (to, from) in last.iter_mut().zip(bytes) {
                *to = *from;
            }
            last
        }
    };
    blocks.iter().all(is_plain_block)
        && words.iter().fold(unplain(last), |any, word| any | unplain(*word)) == 0
}

#[inline]
fn is_plain_block(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(true, |all, byte| all & is_plain(*byte))
}

/// Not zero if some byte in the word must be escaped.
#[inline]
const fn unplain(word: [u8; WORD]) -> u64 {
    const ONES: u64 = u64::MAX / 0xFF;
    const TOPS: u64 = ONES << 7;
    const fn below(word: u64, least: u8) -> u64 {
        word.wrapping_sub(ONES * least as u64) & !word
    }
    let word = u64::from_ne_bytes(word);
    let quote = below(word ^ (ONES * b'"' as u64), 1);
    let backslash = below(word ^ (ONES * b'\\' as u64), 1);
    (below(word, 0x20) | quote | backslash) & TOPS
}

fn plain_prefix(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let plain = blocks.iter().take_while(|block| is_plain_block(block)).count() * BLOCK;
    let rest = bytes.get(plain..).unwrap_or_default();
    plain + rest.iter().position(|byte| !is_plain(*byte)).unwrap_or(rest.len())
}

#[cold]
fn write_escaped(mut text: &str, out: &mut impl TextSink) {
    loop {
        // An escaped character is ASCII, so this never splits a character.
        let (head, tail) = text.split_at_checked(plain_prefix(text.as_bytes())).unwrap_or((text, ""));
        out.push_str(head);
        let mut letters = tail.chars();
        let Some(letter) = letters.next() else { return };
        text = letters.as_str();
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control => {
                let digit = |nibble: usize| "0123456789abcdef".get(nibble..=nibble).unwrap_or_default();
                let control = control as usize;
                out.push_str("\\u00");
                out.push_str(digit(control >> 4));
                out.push_str(digit(control & 0xF));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    /// Every ASCII character and one beyond, at every position in texts with every length around blocks and words.
    #[test]
    fn escapes_equal_those_of_serde_json() {
        const LONGEST: usize = 2 * super::BLOCK + super::WORD + 1;
        let [before, after] = ["x", "y"].map(|plain| plain.repeat(LONGEST));
        for plain in [&before, &after] {
            assert_eq!(serde_json::to_string(plain).unwrap(), format!("\"{plain}\""));
        }
        let mut found = String::new();
        let letters = (0..0x80_u8).map(char::from).chain(['é', '𝄞']);
        for letter in letters {
            let quoted = serde_json::to_string(&letter).unwrap();
            let escaped = quoted.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
            for length in 0..=LONGEST {
                for place in 0..=length {
                    let around = [&before[..place], &after[..length - place]];
                    found.clear();
                    super::write(&around.join(letter.encode_utf8(&mut [0; 4])), &mut found);
                    assert_eq!(found, around.join(escaped));
                }
            }
        }
    }
}
