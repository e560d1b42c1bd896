//! Arguments and results that do not match their tool's type.

use std::fmt;

use crate::agent::tool::Tool;
use crate::quoted::quoted;

/// Tool data that do not match the declared type, with the path where parsing stopped.
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Asks the person whether that is all.
/// # #[tool(frontend)]
/// # async fn checkout(total: u32) -> bool;
/// # /// Sells things.
/// # #[agent(tools = [checkout])]
/// # async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
/// use agui_runtime::tools::ToolData;
///
/// match input.frontend_result::<checkout>() {
///     Ok(answer) => println!("the person said {answer:?}"),
///     Err(error) => assert_eq!((error.what, error.tool), (ToolData::Result, "checkout")),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{what} of tool `{tool}` at `{path}`: {message}")]
#[non_exhaustive]
pub struct ToolDataError {
    /// The tool's name.
    pub tool: &'static str,
    /// The data kind: `arguments` or `result`.
    pub what: ToolData,
    /// JSON path where parsing stopped, `.` for the root.
    pub path: String,
    /// The expected value.
    pub message: String,
}

impl ToolDataError {
    pub(crate) fn refused<T: Tool>(error: &str) -> Self {
        Self {
            tool: T::NAME,
            what: ToolData::Result,
            path: ".".to_owned(),
            message: quoted(error).to_string(),
        }
    }
}

/// Tool data kinds in a [`ToolDataError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolData {
    /// Arguments from the model.
    Arguments,
    /// The user interface's result.
    Result,
}

impl fmt::Display for ToolData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arguments => "arguments",
            Self::Result => "result",
        })
    }
}
