//! Text from outside, made safe for a log line or an error message.

use std::fmt::{self, Display, Write as _};

/// The number of characters that [`quoted`] shows.
pub(crate) const MAX_QUOTED: usize = 200;

/// Formats at most 200 characters of a text that a client, a server or a model wrote.
///
/// Control characters, line separators and marks that change the writing direction are escaped, so the text
/// cannot begin a new line or send commands to a terminal. A longer text is cut, and the cut is marked with
/// `…`.
pub fn quoted<T: Display>(text: T) -> Quoted<T> {
    quoted_up_to(MAX_QUOTED, text)
}

/// [`quoted`] with another limit, in characters.
pub fn quoted_up_to<T: Display>(limit: usize, text: T) -> Quoted<T> {
    Quoted { text, limit }
}

/// The beginnings of the values that errors of serde quote. The last letter is the quotation mark.
const VALUES: [&str; 7] = [
    "string \"",
    "character `",
    "integer `",
    "floating point `",
    "boolean `",
    "unknown variant `",
    "unknown field `",
];

/// Returns the text of an error of serde without the values of the input that it quotes: those are content, which is in no
/// log.
pub(crate) fn without_values(message: &str) -> String {
    let mut kept = String::new();
    let mut rest = message;
    loop {
        let begins = VALUES.iter().filter_map(|begin| Some((rest.find(begin)?, *begin)));
        let Some((at, begin)) = begins.min() else { return kept + rest };
        let (before, value) = rest.split_at(at + begin.len());
        kept.push_str(before);
        kept.push('…');
        rest = value.get(end_of(value, begin)..).unwrap_or_default();
    }
}

/// Returns the place of the closing quotation mark. A string is escaped, and anything else ends with the last part of its
/// message.
fn end_of(value: &str, begin: &str) -> usize {
    let end = if begin.ends_with('"') {
        let mut is_escaped = false;
        value.find(|letter| {
            let is_end = letter == '"' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            is_end
        })
    } else {
        value.rfind("`, expected").or_else(|| value.rfind("`, there are")).or_else(|| value.rfind('`'))
    };
    end.unwrap_or(value.len())
}

/// A text that is escaped and cut when it is formatted; see [`quoted`].
#[derive(Clone, Copy, Debug)]
pub struct Quoted<T> {
    text: T,
    limit: usize,
}

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line { out: f, left: self.limit, is_cut: false };
        match write!(line, "{}", self.text) {
            Err(_) if line.is_cut => f.write_char('…'),
            written => written,
        }
    }
}

struct Line<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// The number of characters that may still follow.
    left: usize,
    is_cut: bool,
}

impl fmt::Write for Line<'_, '_> {
    /// Fails at the limit, which ends the formatting of a long text early.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if self.left == 0 {
                self.is_cut = true;
                return Err(fmt::Error);
            }
            self.left -= 1;
            if is_unsafe(letter) {
                write!(self.out, "{}", letter.escape_default())?;
            } else {
                self.out.write_char(letter)?;
            }
        }
        Ok(())
    }
}

/// Returns true for control characters, line and paragraph separators, and the marks of Unicode Technical
/// Report 36, section 3.1.1.
pub(crate) fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_escaped() {
        let rows = [
            ("thread-1", "thread-1"),
            ("naïve 日本語 🦀 \"quotes\" \\ back", "naïve 日本語 🦀 \"quotes\" \\ back"),
            ("a\nERROR forged\r\n", "a\\nERROR forged\\r\\n"),
            ("\u{1b}[31mred\u{7}\0", "\\u{1b}[31mred\\u{7}\\u{0}"),
            ("\u{9b}2J\u{7f}\u{85}", "\\u{9b}2J\\u{7f}\\u{85}"),
            ("\u{2028}\u{2029}\u{202e}gpj.exe\u{2069}", "\\u{2028}\\u{2029}\\u{202e}gpj.exe\\u{2069}"),
        ];
        for (text, shown) in rows {
            assert_eq!(quoted(text).to_string(), shown);
        }
        let every: String = ('\0'..='\u{ffff}').collect();
        assert!(!quoted_up_to(usize::MAX, every).to_string().contains(is_unsafe));
    }

    #[test]
    fn a_long_text_is_cut_and_marked() {
        assert_eq!(quoted("é".repeat(MAX_QUOTED)).to_string(), "é".repeat(MAX_QUOTED));
        assert_eq!(quoted("é".repeat(MAX_QUOTED + 1)).to_string(), "é".repeat(MAX_QUOTED) + "…");
        assert_eq!(quoted_up_to(3, format_args!("{}{}", "ab", "cd")).to_string(), "abc…");
        assert_eq!(quoted_up_to(0, "").to_string(), "");
    }

    #[test]
    fn an_error_of_serde_loses_the_values_that_it_quotes() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(rename_all = "snake_case", deny_unknown_fields)]
        #[allow(dead_code, reason = "its errors matter")]
        enum Kind {
            One,
            Two { number: u8 },
        }
        for (json, left) in [
            (r#""secret""#, "unknown variant `…`, expected `one` or `two`"),
            (r#""se`, expected\"cret""#, "unknown variant `…`, expected `one` or `two`"),
            (r#"{"two":"se\"cret"}"#, "invalid type: string \"…\", expected struct variant Kind::Two"),
            (r#"{"two":{"number":"secret"}}"#, "invalid type: string \"…\", expected u8"),
            (r#"{"two":{"number":4711}}"#, "invalid value: integer `…`, expected u8"),
            (r#"{"two":{"secret":1}}"#, "unknown field `…`, expected `number`"),
            (r#"{"two":{}}"#, "missing field `number`"),
        ] {
            let error = serde_json::from_str::<Kind>(json).unwrap_err().to_string();
            let text = without_values(&error);
            assert!(text.starts_with(left), "{error}: {text}");
        }
    }

    /// A `Display` that ignores failed writes and never ends is cut as well.
    #[test]
    fn no_more_is_formatted_than_shown() {
        struct Stubborn;
        impl Display for Stubborn {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for _ in 0..1000 {
                    let _ = f.write_str("abc");
                }
                Err(fmt::Error)
            }
        }
        assert_eq!(quoted_up_to(4, Stubborn).to_string(), "abca…");
    }
}
