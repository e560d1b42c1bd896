//! Text of others, without effect on a terminal.

use std::fmt::{self, Display, Write as _};

/// Text without control sequences for a terminal: characters that move the cursor, rewrite the screen, set the title or
/// reverse the writing direction are shown as symbols. Line ends and tabs stay.
pub struct Harmless<T>(pub T);

impl<T: Display> Display for Harmless<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Shown(f), "{}", self.0)
    }
}

struct Shown<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Shown<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for piece in text.split_inclusive(is_obeyed) {
            let Some(obeyed) = piece.chars().next_back().filter(|last| is_obeyed(*last)) else {
                self.0.write_str(piece)?;
                continue;
            };
            self.0.write_str(piece.strip_suffix(obeyed).unwrap_or_default())?;
            match char::from_u32(0x2400 + u32::from(obeyed)) {
                // Unicode has a symbol for each of the first.
                Some(picture) if obeyed < ' ' => self.0.write_char(picture)?,
                // Escaped as in JSON, so that JSON stays the same.
                _ => write!(self.0, "\\u{:04x}", u32::from(obeyed))?,
            }
        }
        Ok(())
    }
}

/// Control characters, and those that reverse the writing direction (Unicode Technical Report 36, section 3.1.1).
fn is_obeyed(letter: char) -> bool {
    (letter.is_control() && letter != '\n' && letter != '\t')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_reaches_a_terminal() {
        let rows = [
            ("plain\n\ttext é 🦀", "plain\n\ttext é 🦀"),
            ("\u{1b}[2J\u{1b}]0;owned\u{7}", "␛[2J␛]0;owned␇"),
            ("50%\r100%\u{8}", "50%␍100%␈"),
            ("\u{9b}31m \u{7f}", "\\u009b31m \\u007f"),
            ("\u{202e}gpj.exe\u{2069}", "\\u202egpj.exe\\u2069"),
            ("\0", "␀"),
        ];
        for (text, shown) in rows {
            assert_eq!(Harmless(text).to_string(), shown);
        }
        let every: String = ('\0'..='\u{2fff}').collect();
        assert!(!Harmless(every).to_string().contains(is_obeyed));
    }
}
