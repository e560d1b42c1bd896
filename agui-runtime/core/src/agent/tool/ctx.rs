//! The call for which a tool runs.

use std::fmt;
use std::sync::Arc;

use hmac_sha256::Hash as Sha256;

use crate::hex::hex;
use crate::protocol::{Context, Message, NonNull, RunAgentInput, RunId, ThreadId, ToolCallId};

/// The call for which a tool runs, and the run's input. Take it as a parameter `&ToolCtx`.
///
/// The client or the model chose everything here except the tool name, so nothing here authenticates the caller: a thread id is no
/// proof of identity. For that, take a value that a server layer put into the request; see
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

    /// Returns the call id on the wire.
    #[must_use]
    pub fn tool_call_id(&self) -> &ToolCallId {
        &self.tool_call_id
    }

    /// Returns the tool's name.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.tool
    }

    /// Returns the client's conversation id (AG-UI 1.0, section "`RunAgentInput`").
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.input.thread_id
    }

    /// Returns the client's run id.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.input.run_id
    }

    /// Returns a key for effects that must happen once: a payment, an order, a letter. The key has 64 hexadecimal digits, is the
    /// same for this call whenever and wherever the call runs, and differs for every other call.
    ///
    /// A tool runs at least once: a server may be lost after the effect and before the result is written. Give the key to the
    /// service that has the effect, as most payment services expect, or store it beside the effect under a unique constraint. The
    /// key is derived from thread, run and call ids, which clients choose, so it authenticates nothing. An approved call belongs
    /// to the run that brings the approval.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// use std::collections::HashSet;
    /// use std::sync::Mutex;
    ///
    /// /// The orders that were placed, by key.
    /// struct Orders(Mutex<HashSet<String>>);
    ///
    /// /// Orders an ingredient. Returns false for an order that was placed before.
    /// #[tool]
    /// async fn order(call: &ToolCtx, orders: &Orders, name: String) -> bool {
    ///     orders.0.lock().unwrap().insert(call.idempotency_key())
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [order])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>, orders: &Orders) -> Result<bool, Stop> {
    /// #     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
    /// # }
    /// # let chef = std::sync::Arc::new(Chef::new(Orders(Mutex::default())));
    /// # for is_new in [true, false] {
    /// #     let events = agui_runtime::start(chef.clone(), agui_runtime::testing::input("Rice."), agui_runtime::testing::options());
    /// #     let events: Vec<_> = futures::executor::block_on(futures::StreamExt::collect(events));
    /// #     let end = agui_runtime::testing::end(&events);
    /// #     assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == &serde_json::json!(is_new)), "{events:#?}");
    /// # }
    /// ```
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        let parts = [self.input.thread_id.as_str(), self.input.run_id.as_str(), self.tool_call_id.as_str()];
        let mut hash = Sha256::new();
        for part in parts {
            // With its length: no two lists of parts are hashed alike.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hex(&hash.finalize())
    }

    /// Returns the application's context for the model; may be empty (AG-UI 1.0, section "Context, Tool").
    #[must_use]
    pub fn context(&self) -> &[Context] {
        self.input.context()
    }

    /// Returns other application data; the application and the agent agree on the shape.
    #[must_use]
    pub fn forwarded_props(&self) -> Option<&NonNull> {
        self.input.forwarded_props.as_ref()
    }

    /// Returns the conversation at the run's start, oldest message first; in a subagent, the messages that it was given.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.input.messages
    }
}

/// Shows only the call: the input may be long, and private.
impl fmt::Debug for ToolCtx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCtx")
            .field("tool_call_id", &self.tool_call_id)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
