//! Colours, where there are any.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _};

/// Paints, or does not: only terminals have colours, and not everybody wants them (<https://no-color.org>).
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output.
    pub fn of_output() -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { on: io::stdout().is_terminal() && !unwanted }
    }

    /// What stands behind the rest.
    pub fn dim(self, text: impl Display) -> String {
        self.with("2", text)
    }

    /// What the agent does.
    pub fn deed(self, text: impl Display) -> String {
        self.with("36", text)
    }

    /// What is there now.
    pub fn added(self, text: impl Display) -> String {
        self.with("32", text)
    }

    /// What is gone.
    pub fn removed(self, text: impl Display) -> String {
        self.with("31", text)
    }

    fn with(self, code: &str, text: impl Display) -> String {
        if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }
}
