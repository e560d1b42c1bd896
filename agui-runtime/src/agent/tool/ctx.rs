//! The call for which a tool runs.

use std::fmt;
use std::sync::Arc;

use hmac_sha256::Hash as Sha256;

use crate::hex::hex;
use crate::protocol::{Context, Message, NonNull, RunAgentInput, RunId, ThreadId, ToolCallId};

/// The call for which a tool runs, and the input of the run. Take it as a parameter `&ToolCtx`.
///
/// The client or the model chose everything here except the name of the tool. None of it authenticates the caller: a
/// thread id is no proof of identity. For that, take a value that a layer of the server put into the request; see
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

    /// Returns the id of the call on the wire.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// /// Orders an ingredient.
    /// #[tool]
    /// async fn order(call: &ToolCtx, name: String) -> String {
    ///     format!("{name} is order {}", call.tool_call_id())
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [order])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<String, Stop> {
    /// #     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice.")));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == "rice is order test-call-1"), "{events:#?}");
    /// ```
    #[must_use]
    pub fn tool_call_id(&self) -> &ToolCallId {
        &self.tool_call_id
    }

    /// Returns the name of the tool.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// /// Orders an ingredient.
    /// #[tool]
    /// async fn order(call: &ToolCtx, name: String) -> String {
    ///     format!("the {} of {name} was sent", call.tool())
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [order])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<String, Stop> {
    /// #     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice.")));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == "the order of rice was sent"), "{events:#?}");
    /// ```
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.tool
    }

    /// Returns the client's id of the conversation (AG-UI 1.0, section "`RunAgentInput`").
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::protocol::ThreadId;
    ///
    /// /// The items of each conversation. A thread id says nothing about the caller.
    /// struct Baskets(HashMap<ThreadId, Vec<String>>);
    ///
    /// /// Lists the items of this conversation.
    /// #[tool]
    /// async fn basket(call: &ToolCtx, baskets: &Baskets) -> Vec<String> {
    ///     baskets.0.get(call.thread_id()).cloned().unwrap_or_default()
    /// }
    /// # /// Sells things.
    /// # #[agent(tools = [basket])]
    /// # async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, baskets: &Baskets) -> Result<Vec<String>, Stop> {
    /// #     Ok(run.call(basket {}).await?.run().await)
    /// # }
    /// # let clerk = Clerk::new(Baskets(HashMap::from([("thread".into(), vec!["rice".to_owned()])])));
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(clerk, agui_runtime::testing::input("Rice?")));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(items), .. } if items[0] == "rice"), "{events:#?}");
    /// ```
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.input.thread_id
    }

    /// Returns the client's id of the run.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// /// Orders an ingredient.
    /// #[tool]
    /// async fn order(call: &ToolCtx, name: String) -> String {
    ///     format!("{name}, by call {} of run {}", call.tool_call_id(), call.run_id())
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [order])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<String, Stop> {
    /// #     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice.")));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == "rice, by call test-call-1 of run run"), "{events:#?}");
    /// ```
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.input.run_id
    }

    /// Returns a key for effects that must happen once: a payment, an order, a letter. It is 64 hexadecimal digits, the
    /// same for this call whenever and wherever it runs, and different for every other call.
    ///
    /// A tool runs at least once: a server may be lost after the effect and before the result is written. Give the key to
    /// the service that has the effect, as most payment services expect, or keep it beside the effect under a unique
    /// constraint. It is made of the ids of the thread, the run and the call, which clients choose: it authenticates
    /// nothing. A call that was approved belongs to the run that brings the approval.
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

    /// Returns the context that the application gives the model; empty if there is none (AG-UI 1.0, section "Context,
    /// Tool").
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// /// Returns the time zone of the user.
    /// #[tool]
    /// async fn time_zone(call: &ToolCtx) -> String {
    ///     let zone = call.context().iter().find(|entry| entry.description == "time zone");
    ///     zone.map_or("UTC", |entry| entry.value.as_str()).to_owned()
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [time_zone])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<String, Stop> {
    /// #     Ok(run.call(time_zone {}).await?.run().await)
    /// # }
    /// # let zone = agui_runtime::protocol::Context::new("time zone", "Asia/Tokyo");
    /// # let input = agui_runtime::testing::input("Rice.").with_context([zone]);
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), input));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == "Asia/Tokyo"), "{events:#?}");
    /// ```
    #[must_use]
    pub fn context(&self) -> &[Context] {
        self.input.context()
    }

    /// Returns other data of the application; the application and the agent agree on its shape.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// /// Orders an ingredient, but not in a demo. Returns whether it did.
    /// #[tool]
    /// async fn order(call: &ToolCtx, name: String) -> bool {
    ///     let is_demo = call.forwarded_props().is_some_and(|props| props["demo"] == true);
    ///     !is_demo
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [order])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<bool, Stop> {
    /// #     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
    /// # }
    /// # let props = agui_runtime::protocol::NonNull::new(serde_json::json!({ "demo": true })).unwrap();
    /// # let input = agui_runtime::testing::input("Rice.").with_forwarded_props(props);
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), input));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == &serde_json::json!(false)), "{events:#?}");
    /// ```
    #[must_use]
    pub fn forwarded_props(&self) -> Option<&NonNull> {
        self.input.forwarded_props.as_ref()
    }

    /// Returns the conversation at the beginning of the run, oldest message first. In a subagent, the messages that it
    /// was given.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::protocol::Role;
    ///
    /// /// Counts the user's messages.
    /// #[tool]
    /// async fn questions(call: &ToolCtx) -> usize {
    ///     call.messages().iter().filter(|message| message.role() == Role::User).count()
    /// }
    /// # /// Cooks with you.
    /// # #[agent(tools = [questions])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<usize, Stop> {
    /// #     Ok(run.call(questions {}).await?.run().await)
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice.")));
    /// # let end = agui_runtime::testing::end(&events);
    /// # assert!(matches!(end, agui_runtime::testing::RunEnd::Success { result: Some(text), .. } if text == &serde_json::json!(1)), "{events:#?}");
    /// ```
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
