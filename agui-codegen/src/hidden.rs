//! Characters that are not shown as they are: in comments of generated code, and on the terminal.

/// Returns true for control characters but tabs, line and paragraph separators, and the marks that change the direction of text
/// (Unicode Technical Report 36, section 3.1.1).
pub(crate) fn is_hidden(char: char) -> bool {
    (char.is_control() && char != '\t')
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A line that stays in its comment, in any language. A control character could end the line, or keep the file from being read; a
/// character that changes the direction of text shows other code than what runs. They are spelled out.
pub(crate) fn comment_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for char in line.chars() {
        match u32::from(char) {
            _ if !is_hidden(char) => shown.push(char),
            code @ ..=0xff => shown.push_str(&format!("\\x{code:02x}")),
            code => shown.push_str(&format!("\\u{code:04x}")),
        }
    }
    shown
}
