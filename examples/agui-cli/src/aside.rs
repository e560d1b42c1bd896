//! What is said beside the conversation: questions and complaints, on standard error.

use std::fmt::Display;
use std::io::{self, Write as _};

use crate::harmless::Harmless;

/// Says a line. Whoever closed standard error does not want to know.
pub fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", Harmless(line));
}

/// Says what waits for a line, and stays on it.
pub fn prompt(text: impl Display) {
    let _ = write!(io::stderr(), "{}", Harmless(text));
    let _ = io::stderr().flush();
}

/// What is not as AG-UI 1.0 has it, and no reason to stop.
pub fn warn(warning: impl Display) {
    say(format_args!("warning: {warning}"));
}
