//! The command's output. Manifests, files and other people's programs provide names for the output: terminal control
//! sequences in such names have no effect. Inside JSON strings, which are the only place for such characters in JSON, the
//! escapes mean the same. Texts with several lines escape line breaks in foreign names themselves, with [`one_line`].

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};

use crate::hidden::{escaped, is_hidden, one_line};

/// Prints an error to standard error.
pub(crate) fn complain(error: &dyn std::error::Error) {
    // Without standard error, the failure cannot be reported.
    let _ = writeln!(std::io::stderr(), "error: {}", lines(&error.to_string()));
}

/// Prints a progress line to standard error if standard error is a terminal: in a log, progress would be noise.
pub(crate) fn note(text: &str) {
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr(), "{}", one_line(text));
    }
}

/// Prints a warning to standard error, as one line.
pub(crate) fn complain_of(warning: &str) {
    let _ = writeln!(std::io::stderr(), "warning: {}", one_line(warning));
}

/// Prints a result.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout();
    // A closed pipe, as with `| head`, is not a failure. A question has no final line break, so the output is flushed.
    let _ = write!(out, "{}", lines(text)).and_then(|()| out.flush());
}

/// Escapes hidden characters other than line breaks.
fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |char| is_hidden(char) && char != '\n')
}
