//! Finds the end of a JSON object that comes in pieces, without a second pass over earlier pieces.

/// The scanner state inside an object.
#[derive(Debug, Default)]
pub(super) struct JsonEnd {
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
    has_begun: bool,
}

impl JsonEnd {
    pub(super) fn push(&mut self, piece: &str) {
        for byte in piece.bytes() {
            match byte {
                _ if std::mem::take(&mut self.is_escaped) => {}
                b'\\' if self.is_in_text => self.is_escaped = true,
                b'"' => self.is_in_text = !self.is_in_text,
                _ if self.is_in_text => {}
                b'{' | b'[' => {
                    self.has_begun = true;
                    self.depth += 1;
                }
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// True if every bracket is closed.
    pub(super) fn is_reached(&self) -> bool {
        self.has_begun && self.depth == 0 && !self.is_in_text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_behind_the_last_bracket_however_the_text_is_cut() {
        let text = r#" {"a":"}\\\"]{","b":[{},[1]]} "#;
        let end = text.rfind('}').unwrap() + 1;
        for length in 1..text.len() {
            let (mut place, mut read) = (JsonEnd::default(), 0);
            for piece in text.as_bytes().chunks(length) {
                place.push(std::str::from_utf8(piece).unwrap());
                read += piece.len();
                assert_eq!(place.is_reached(), read >= end, "{read} of {text} by {length}");
            }
        }
        for open in ["", "  ", "7", "\"a\"", "{", "{\"a\":\"}"] {
            let mut place = JsonEnd::default();
            place.push(open);
            assert!(!place.is_reached(), "{open}");
        }
    }
}
