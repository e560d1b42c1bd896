use std::fmt;
use std::sync::Arc;

use crate::protocol::{Context, Message, NonNull, RunAgentInput, RunId, ThreadId, ToolCallId};

/// The call a tool is running for, and what the client sent for the run. Take it as a parameter `&ToolCtx`.
///
/// Everything here but the name of the tool was chosen by the client or by the model. None of it proves who asks: a thread
/// id is no authentication. For that, take a value that a layer of the server put into the request; see
/// [`#[request]`](macro@crate::agent#what-comes-with-the-request).
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Orders an ingredient.
/// #[tool]
/// async fn order(call: &ToolCtx, name: String) -> String {
///     assert_eq!(call.tool(), "order");
///     let zone = call.context().iter().find(|entry| entry.description == "time zone");
///     let zone = zone.map_or("UTC", |entry| entry.value.as_str());
///     format!("{name}, under number {} in {}, {zone}", call.tool_call_id(), call.thread_id())
/// }
///
/// /// Cooks with you.
/// #[agent(tools = [order])]
/// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<String, Stop> {
///     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
/// }
/// # use agui_runtime::testing;
/// # let events = futures::executor::block_on(testing::run(Chef::new(), testing::input("Rice.")));
/// # let said = testing::lines(&events);
/// # assert!(said.contains("rice, under number test-call-1 in thread, UTC"), "{said}");
/// ```
#[derive(Clone)]
pub struct ToolCtx {
    tool_call_id: ToolCallId,
    tool: &'static str,
    input: Arc<RunAgentInput>,
}

impl ToolCtx {
    pub(super) fn new(tool_call_id: ToolCallId, tool: &'static str, input: Arc<RunAgentInput>) -> Self {
        Self { tool_call_id, tool, input }
    }

    /// The id of the call on the wire.
    #[must_use]
    pub fn tool_call_id(&self) -> &ToolCallId {
        &self.tool_call_id
    }

    /// The name of the tool.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.tool
    }

    /// The conversation, as the client names it (AG-UI 1.0, section "`RunAgentInput`").
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.input.thread_id
    }

    /// The run, as the client names it.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.input.run_id
    }

    /// What the application says the model should know; empty if it says nothing (AG-UI 1.0, section "Context, Tool").
    #[must_use]
    pub fn context(&self) -> &[Context] {
        self.input.context()
    }

    /// Whatever else the application passed along; its shape is agreed between the application and the agent.
    #[must_use]
    pub fn forwarded_props(&self) -> Option<&NonNull> {
        self.input.forwarded_props.as_ref()
    }

    /// The conversation as it was when the run began, oldest message first. In an agent that another one delegated to, the
    /// messages it was given.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.input.messages
    }
}

/// The call alone: the input may be long, and private.
impl fmt::Debug for ToolCtx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCtx")
            .field("tool_call_id", &self.tool_call_id)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
