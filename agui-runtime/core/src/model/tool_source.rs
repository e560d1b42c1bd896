//! Lists of dynamic tools that change while a chat runs.

use futures_util::future::BoxFuture;

use super::dynamic::DynTool;
use crate::agent::Stop;

/// A list of dynamic tools that may change while a chat runs; see [`Chat::tools_from`](super::Chat::tools_from).
///
/// A source belongs to one chat, and remembers what the chat has.
///
/// ```
/// use agui_runtime::model::{DynTool, Model, Reply, ScriptedModel, ToolSource};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
/// use futures::future::{BoxFuture, FutureExt};
/// use serde_json::json;
///
/// /// Has one tool in the first turn, and no tool later.
/// #[derive(Default)]
/// struct Once {
///     turns: u32,
/// }
///
/// impl ToolSource for Once {
///     fn changed_tools(&mut self) -> BoxFuture<'_, Result<Option<Vec<DynTool<'static>>>, Stop>> {
///         async {
///             self.turns += 1;
///             Ok(match self.turns {
///                 1 => {
///                     let schema = json!({ "type": "object" });
///                     Some(vec![DynTool::new("ring", "Rings the bell.", schema, async |_| Ok::<_, Stop>("ring"))?])
///                 }
///                 2 => Some(vec![]),
///                 _ => None,
///             })
///         }
///         .boxed()
///     }
/// }
///
/// /// Rings once.
/// #[agent]
/// async fn bell(run: &mut Run<Bell>, _: Input<Bell>, model: &Model) -> Result<(), Stop> {
///     run.chat(model).tools_from(Once::default()).await
/// }
///
/// # futures::executor::block_on(async {
/// let script = [Reply::call("ring", json!({})), Reply::text("It rang.")];
/// let events = testing::run(Bell::new(ScriptedModel::new(script).into()), testing::input("Ring!")).await;
/// assert_eq!(testing::texts(&events), ["It rang."]);
/// # });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tools that may change",
    label = "not a list of tools that may change",
    note = "pass a list of a package, such as `McpClient::tool_list()`, or implement `agui_runtime::model::ToolSource`; tools that \
            do not change go to `Chat::tools`"
)]
pub trait ToolSource: Send + Sync {
    /// Returns the whole list, if the list is another one than the chat has, and `None` otherwise. The chat asks before each turn; the
    /// first call returns the list.
    ///
    /// # Errors
    /// An error at the first call ends the run. At a later call the chat goes on with the tools that the chat has, and logs a warning.
    fn changed_tools(&mut self) -> BoxFuture<'_, Result<Option<Vec<DynTool<'static>>>, Stop>>;
}
