//! Characters that are not shown as they are: in comments of generated code, and on the terminal.

/// Returns true for control characters but tabs, line and paragraph separators, and the marks that change the direction of text
/// (Unicode Technical Report 36, section 3.1.1).
pub(crate) fn is_hidden(char: char) -> bool {
    (char.is_control() && char != '\t')
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
