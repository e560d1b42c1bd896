//! The output of the command. Manifests, files and programs of others name things in it: nothing that they write commands the
//! terminal.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};

use crate::hidden::is_hidden;

/// Prints an error to standard error.
pub(crate) fn complain(error: &dyn std::error::Error) {
    // Without standard error there is no way to report it.
    let _ = writeln!(std::io::stderr(), "error: {}", shown(&error.to_string()));
}

/// Prints progress to standard error if it is a terminal: in a log it would be noise.
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
    // A closed pipe, as with `| head`, is not a failure. A question has no line break at its end.
    let _ = write!(out, "{}", shown(text)).and_then(|()| out.flush());
}

/// Returns a text with its control characters, and those that change the direction of text, spelled out. Within the strings of
/// JSON, which has no other place for them, they mean the same.
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
