//! The command's output. Manifests, files and other people's programs provide names for the output: terminal control
//! sequences in such names have no effect.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};

use crate::hidden::is_hidden;

/// Prints an error to standard error.
pub(crate) fn complain(error: &dyn std::error::Error) {
    // Without standard error, the failure cannot be reported.
    let _ = writeln!(std::io::stderr(), "error: {}", shown(&error.to_string()));
}

/// Prints progress to standard error if standard error is a terminal: in a log, progress would be noise.
pub(crate) fn note(text: &str) {
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr(), "{}", shown(text));
    }
}

/// Prints a warning to standard error.
pub(crate) fn complain_of(warning: &str) {
    let _ = writeln!(std::io::stderr(), "warning: {}", shown(warning));
}

/// Prints a result.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout();
    // A closed pipe, as with `| head`, is not a failure. A question has no final line break, so the output is flushed.
    let _ = write!(out, "{}", shown(text)).and_then(|()| out.flush());
}

/// Escapes control characters, and characters that change the text direction. Inside JSON strings, which are the only
/// place for such characters in JSON, the escapes mean the same.
fn shown(text: &str) -> Cow<'_, str> {
    let is_unsafe = |char: char| is_hidden(char) && char != '\n';
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match is_unsafe(char) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(char))),
            false => shown.push(char),
        }
    }
    Cow::Owned(shown)
}
