//! The output: words of the conversation, and lines about the nodes between them.

use std::io::{self, Write as _};

/// Shows text at once.
pub fn show(text: &str) {
    let mut out = io::stdout().lock();
    // The check at the end matters even without a reader of the output.
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Shows a line about the nodes.
pub fn note(line: &str) {
    show(&format!("\n-- {line}\n"));
}
