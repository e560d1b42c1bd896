use crate::tool::ToolDataError;

/// A tool call that could not be made, ended or answered as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The streamed text is not the tool's arguments.
    #[error(transparent)]
    Arguments(#[from] ToolDataError),
    /// The streamed text is no JSON, and so no arguments of a tool of the client.
    #[error("the arguments of tool `{tool}` are not JSON")]
    NotJson {
        /// The tool's name.
        tool: String,
        /// What is wrong with the text, and where.
        source: serde_json::Error,
    },
    /// The arguments given to [`Run::call`](crate::Run::call) have no JSON form; nothing was sent.
    #[error("the arguments of tool `{tool}` have no JSON form")]
    Unwritable {
        /// The tool's name.
        tool: &'static str,
        /// What serde says.
        source: serde_json::Error,
    },
    /// The result has no JSON form; the call was answered with this error.
    #[error("the result of tool `{tool}` has no JSON form")]
    Result {
        /// The tool's name.
        tool: &'static str,
        /// What serde says.
        source: serde_json::Error,
    },
}
