//! What cannot be lowered, and where it stands.

use std::fmt;

/// Everything in a manifest that has no representation, all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// What is wrong, at least one.
    pub problems: Vec<Problem>,
}

/// One thing that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whose schema it is: a type, or a place in an agent.
    pub owner: String,
    /// The JSON Pointer inside that schema; empty for the whole.
    pub path: String,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "{}: {}", self.owner, self.message),
            path => write!(f, "{} at `{path}`: {}", self.owner, self.message),
        }
    }
}

/// A step of a JSON Pointer (RFC 6901, section 3).
pub(super) struct Token<'t>(pub(super) &'t str);

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.replace('~', "~0").replace('/', "~1"))
    }
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for LowerError {}
