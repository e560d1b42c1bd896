//! Colours, if the terminal has them.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _};

use crate::harmless::Harmless;

/// A painter of text: only terminals have colours, and `NO_COLOR` turns them off (<https://no-color.org>).
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

/// Text for a terminal: text of others is harmless, and the rest is our own colour codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Painted(String);

impl Painted {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Paint {
    /// Paints for standard output.
    pub fn of_output() -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { on: io::stdout().is_terminal() && !unwanted }
    }

    /// Paints nothing.
    #[cfg(test)]
    pub fn none() -> Self {
        Self { on: false }
    }

    /// Text of the agent.
    pub fn plain(self, text: impl Display) -> Painted {
        Painted(Harmless(text).to_string())
    }

    /// Text in the background.
    pub fn dim(self, text: impl Display) -> Painted {
        self.with("2", text)
    }

    /// An action of the agent.
    pub fn deed(self, text: impl Display) -> Painted {
        self.with("36", text)
    }

    /// An added value.
    pub fn added(self, text: impl Display) -> Painted {
        self.with("32", text)
    }

    /// A removed value.
    pub fn removed(self, text: impl Display) -> Painted {
        self.with("31", text)
    }

    fn with(self, code: &str, text: impl Display) -> Painted {
        let text = Harmless(text);
        Painted(if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() })
    }
}
