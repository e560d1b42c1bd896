//! How it went.

use std::process::ExitCode;

/// How it went, from well to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Went {
    /// All that was asked for was done.
    Well,
    /// A run failed or was cut off, or a question was left.
    Badly,
    /// The agent could not be talked to.
    Nowhere,
}

impl From<Went> for ExitCode {
    fn from(went: Went) -> Self {
        match went {
            Went::Well => Self::SUCCESS,
            Went::Badly => Self::from(1),
            Went::Nowhere => Self::from(2),
        }
    }
}
