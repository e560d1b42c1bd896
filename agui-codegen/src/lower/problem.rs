//! The schemas without a representation, and the names that collide, with their paths.

use std::fmt;

use crate::hidden::one_line;

/// All problems in one or more manifests: schemas that have no representation.
///
/// ```
/// use agui_codegen::LowerError;
/// use agui_codegen::lower::{lower, together};
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = |package| Manifest::build(package, "0.1.0", &[AgentSource::new("cook")]);
/// # let (kitchen, canteen) = (manifest("kitchen")?, manifest("canteen")?);
///
/// // The cook of `kitchen` and the cook of `canteen` would have one folder.
/// let LowerError { problems } = together(vec![lower(&kitchen)?, lower(&canteen)?]).unwrap_err();
/// assert_eq!(problems.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// The problems, at least one.
    pub problems: Vec<SchemaProblem>,
}

/// One schema that cannot be lowered.
///
/// ```
/// use agui_codegen::lower::SchemaProblem;
///
/// let problem = SchemaProblem {
///     owner: "type `Dish`".to_owned(),
///     path: "/properties/name".to_owned(),
///     message: "has two types".to_owned(),
/// };
/// assert_eq!(problem.to_string(), "type `Dish` at `/properties/name`: has two types");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaProblem {
    /// The schema's owner: a type, or a place in an agent.
    pub owner: String,
    /// The JSON Pointer inside that schema; empty for the whole schema.
    pub path: String,
    /// The problem, and the remedy.
    pub message: String,
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match self.path.as_str() {
            "" => format!("{}: {}", self.owner, self.message),
            path => format!("{} at `{path}`: {}", self.owner, self.message),
        };
        f.write_str(&one_line(&line))
    }
}

/// A reference token in a JSON Pointer (RFC 6901, section 3).
pub(super) struct PointerToken<'t>(pub(super) &'t str);

impl fmt::Display for PointerToken<'_> {
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
