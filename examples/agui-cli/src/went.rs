//! The result of the program.

use std::process::ExitCode;

/// The result of the program, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Went {
    /// Everything was done.
    Well,
    /// A run failed or was cut off, or a question is open.
    Badly,
    /// The agent could not be reached.
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
