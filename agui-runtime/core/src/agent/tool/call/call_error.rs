//! Reasons why a call's arguments or result cannot be used.

use crate::agent::tool::ToolDataError;

/// A tool call that could not be made, ended or settled as requested.
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// use agui_runtime::CallError;
///
/// let mut call = run.tool::<price>().await;
/// call.push(r#"{"name":7}"#).await;
/// match call.end() {
///     Ok(call) => drop(call.run().await),
///     Err(CallError::Arguments(error)) => assert_eq!(error.path, "name"), // the model has its answer
///     Err(other) => return Err(other.into()),
/// }
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The streamed text does not parse as the tool's arguments.
    #[error(transparent)]
    Arguments(#[from] ToolDataError),
    /// The streamed text is not JSON, so it cannot be arguments for a client's tool.
    #[error("the arguments of tool `{tool}` are not JSON")]
    NotJson {
        /// The tool's name.
        tool: String,
        /// The parser's error, with its position.
        source: serde_json::Error,
    },
    /// The arguments given to [`Run::call`](crate::Run::call) have no JSON form; nothing was sent.
    #[error("the arguments of tool `{tool}` have no JSON form")]
    Unwritable {
        /// The tool's name.
        tool: &'static str,
        /// The serde error.
        source: serde_json::Error,
    },
    /// The result has no JSON form; this error was sent as the result.
    #[error("the result of tool `{tool}` has no JSON form")]
    Result {
        /// The tool's name.
        tool: &'static str,
        /// The serde error.
        source: serde_json::Error,
    },
    /// The result is larger than the tool's `max_result`; this error was sent as the result.
    #[error("the result of tool `{tool}` has {size} bytes, more than its limit of {limit}")]
    TooLarge {
        /// The tool's name.
        tool: &'static str,
        /// The result's size, in bytes.
        size: usize,
        /// The limit, in bytes.
        limit: usize,
    },
}
