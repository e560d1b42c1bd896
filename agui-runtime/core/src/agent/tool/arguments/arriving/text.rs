//! Decodes a JSON string that arrives in pieces.

/// The next letter's position in a JSON string (RFC 8259, section 7).
#[derive(Clone, Copy, Debug)]
pub(super) enum StringDecoder {
    Plain,
    Escape,
    /// In the four digits after `\u`.
    Hex {
        digits: u8,
        unit: u16,
        high: Option<u16>,
    },
    /// After a surrogate pair's first half: the other half must follow.
    Low {
        high: u16,
        is_escaped: bool,
    },
}

pub(super) enum DecodeOutcome {
    More,
    Closed,
    Broken,
}

impl StringDecoder {
    /// Decodes into `text` until the string or the piece ends. Returns the piece's rest.
    pub(super) fn decode<'p>(&mut self, piece: &'p str, text: &mut String) -> (&'p str, DecodeOutcome) {
        let mut rest = piece;
        while !rest.is_empty() {
            if let Self::Plain = self {
                let run = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\');
                let (plain, behind) = rest.split_at(run.unwrap_or(rest.len()));
                text.push_str(plain);
                rest = behind;
            }
            let mut letters = rest.chars();
            let Some(letter) = letters.next() else { break };
            rest = letters.as_str();
            match self.letter(letter, text) {
                DecodeOutcome::More => {}
                done => return (rest, done),
            }
        }
        (rest, DecodeOutcome::More)
    }

    fn letter(&mut self, letter: char, text: &mut String) -> DecodeOutcome {
        let next = match (*self, letter) {
            (Self::Plain, '"') => return DecodeOutcome::Closed,
            (Self::Plain, '\\') => Some(Self::Escape),
            (Self::Escape, 'u') => Some(Self::Hex { digits: 0, unit: 0, high: None }),
            (Self::Escape, letter) => unescaped(letter).map(|letter| {
                text.push(letter);
                Self::Plain
            }),
            (Self::Hex { digits, unit, high }, letter) => hex(letter).and_then(|digit| {
                let unit = unit << 4 | digit;
                if digits < 3 {
                    Some(Self::Hex { digits: digits + 1, unit, high })
                } else {
                    unicode(high, unit, text)
                }
            }),
            (Self::Low { high, is_escaped: false }, '\\') => Some(Self::Low { high, is_escaped: true }),
            (Self::Low { high, is_escaped: true }, 'u') => {
                Some(Self::Hex { digits: 0, unit: 0, high: Some(high) })
            }
            (Self::Plain | Self::Low { .. }, _) => None,
        };
        match next {
            Some(next) => {
                *self = next;
                DecodeOutcome::More
            }
            None => DecodeOutcome::Broken,
        }
    }
}

fn unescaped(letter: char) -> Option<char> {
    Some(match letter {
        '"' | '\\' | '/' => letter,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        _ => return None,
    })
}

fn hex(letter: char) -> Option<u16> {
    letter.to_digit(16).and_then(|digit| u16::try_from(digit).ok())
}

/// Handles a whole UTF-16 unit: a letter, a surrogate, or an invalid unit.
fn unicode(high: Option<u16>, unit: u16, text: &mut String) -> Option<StringDecoder> {
    if high.is_none() && (0xD800..0xDC00).contains(&unit) {
        return Some(StringDecoder::Low { high: unit, is_escaped: false });
    }
    let mut letters = char::decode_utf16(high.into_iter().chain([unit]));
    let (Some(Ok(letter)), None) = (letters.next(), letters.next()) else { return None };
    text.push(letter);
    Some(StringDecoder::Plain)
}
