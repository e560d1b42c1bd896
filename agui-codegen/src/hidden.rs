//! Characters that are escaped in generated comments and on the terminal.

/// Returns true for control characters except tabs, for line and paragraph separators, and for the marks that change
/// the text direction (Unicode Technical Report 36, section 3.1.1).
pub(crate) fn is_hidden(char: char) -> bool {
    (char.is_control() && char != '\t')
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
