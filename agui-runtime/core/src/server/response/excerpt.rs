//! Client text in a response: like [`quoted`](crate::quoted), but cut in the middle, because a message ends with the expected
//! value.

use std::borrow::Cow;
use std::fmt::Write;

use crate::quoted::{MAX_QUOTED, is_unsafe};

/// Maximum number of characters that are repeated from a client's text.
const LONGEST: usize = MAX_QUOTED;

/// Replaces the middle when a text is cut.
const CUT: char = '…';

/// Returns a text's start and end, together [`LONGEST`] characters, with control characters escaped.
pub(super) fn excerpt(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST && !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    // Takes a little more than needed at either end, so that a long text is not scanned.
    let mut short = String::new();
    let (head, tail) = (LONGEST * 3 / 5, LONGEST * 2 / 5);
    if text.chars().nth(LONGEST).is_none() {
        text.chars().for_each(|character| escape(character, &mut short));
    } else {
        text.chars().take(head).for_each(|character| escape(character, &mut short));
        short.push(CUT);
        let start = text.char_indices().rev().nth(tail - 2).map_or(0, |(at, _)| at);
        let end = text.get(start..).unwrap_or_default();
        end.chars().for_each(|character| escape(character, &mut short));
    }
    match short.char_indices().nth(LONGEST) {
        // Escapes are longer than the characters that they replace.
        Some(_) => {
            let end = short.char_indices().nth(LONGEST - 1).map_or(short.len(), |(at, _)| at);
            short.truncate(end);
            short.push(CUT);
            short.into()
        }
        None => short.into(),
    }
}

fn escape(character: char, out: &mut String) {
    if is_unsafe(character) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}", character.escape_default());
    } else {
        out.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_printable_text_stays() {
        for text in ["", "plain", "naïve 日本語 🦀", &"x".repeat(LONGEST)] {
            assert!(matches!(excerpt(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn long_text_keeps_its_beginning_and_end() {
        for character in ["x", "é", "🦀"] {
            let text = format!("begin{}end", character.repeat(1_000));
            let cut = excerpt(&text);
            assert_eq!(cut.chars().count(), LONGEST, "{cut}");
            assert!(cut.starts_with("begin") && cut.ends_with("end") && cut.contains(CUT), "{cut}");
        }
        assert_eq!(excerpt(&"é".repeat(LONGEST)), "é".repeat(LONGEST), "characters are counted, not bytes");
    }

    #[test]
    fn control_characters_are_escaped_and_the_escapes_are_cut_too() {
        assert_eq!(excerpt("a\n\u{1b}[31m\u{202e}b"), "a\\n\\u{1b}[31m\\u{202e}b");
        assert_eq!(excerpt(&"\n".repeat(5_000)).chars().count(), LONGEST);
        assert_eq!(excerpt(&"\n".repeat(120)).chars().count(), LONGEST);
    }
}
