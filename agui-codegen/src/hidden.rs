//! Characters that are escaped in generated comments and on the terminal.

use std::borrow::Cow;

/// Returns true for control characters except tabs, for line and paragraph separators, and for the marks that change
/// the text direction (Unicode Technical Report 36, section 3.1.1).
pub(crate) fn is_hidden(char: char) -> bool {
    (char.is_control() && char != '\t')
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes hidden characters as JSON strings do. A foreign name with line breaks thus stays in the line that shows the name.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Escapes some characters as JSON strings do.
pub(crate) fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match is_escaped(char) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(char))),
            false => shown.push(char),
        }
    }
    Cow::Owned(shown)
}
