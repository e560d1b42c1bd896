//! The output beside the conversation: questions and complaints, on standard error.

use std::fmt::Display;
use std::io::{self, Write as _};

use crate::harmless::Harmless;

/// Prints a line. A closed standard error is no reason to fail.
pub fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", Harmless(line));
}

/// Writes out what was said, before something else uses the terminal.
pub fn flush() {
    let _ = io::stderr().flush();
}

/// Prints a warning about a breach of AG-UI 1.0 that is no reason to stop.
pub fn warn(warning: impl Display) {
    say(format_args!("warning: {warning}"));
}
