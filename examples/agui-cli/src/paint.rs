//! Colours, where there are any.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _};

use crate::harmless::Harmless;

/// Paints, or does not: only terminals have colours, and not everybody wants them (<https://no-color.org>).
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

/// Text that may go to a terminal: what others say in it is harmless, and what is not is a colour of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Painted(String);

impl Painted {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Paint {
    /// For standard output.
    pub fn of_output() -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { on: io::stdout().is_terminal() && !unwanted }
    }

    /// Without colours.
    #[cfg(test)]
    pub fn none() -> Self {
        Self { on: false }
    }

    /// What the agent says.
    pub fn plain(self, text: impl Display) -> Painted {
        Painted(Harmless(text).to_string())
    }

    /// What stands behind the rest.
    pub fn dim(self, text: impl Display) -> Painted {
        self.with("2", text)
    }

    /// What the agent does.
    pub fn deed(self, text: impl Display) -> Painted {
        self.with("36", text)
    }

    /// What is there now.
    pub fn added(self, text: impl Display) -> Painted {
        self.with("32", text)
    }

    /// What is gone.
    pub fn removed(self, text: impl Display) -> Painted {
        self.with("31", text)
    }

    fn with(self, code: &str, text: impl Display) -> Painted {
        let text = Harmless(text);
        Painted(if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() })
    }
}
