use super::emitter::SpanGuard;
use super::fields::following;
use super::kernel::{CallStart, ParentMessage};
use super::provider_id::{fresh, provider_id};
use super::tool_call::{InvokeFn, Invoked};
use super::{Act, CallError, Do, Emit, Fields, ParentReceipt, Run, Streaming, ToolCall};
use crate::agent::Agent;
use crate::protocol::ToolCallId;
use crate::tool::{Predictions, Scope, Side, Tool, ToolOf};

/// A call about to be opened; awaiting it sends TOOL_CALL_START.
pub type OpenCall<'w, A, T> = Do<'w, StartCall<'w, A, T>>;

/// The act of opening a call.
pub struct StartCall<'w, A: Agent, T: Tool> {
    run: &'w Run<A>,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
    invoke: InvokeFn<A, T>,
    predictions: Option<Box<Predictions<A>>>,
}

impl<'w, A: Agent, T: ToolOf<A>> StartCall<'w, A, T> {
    pub(super) fn new(run: &'w Run<A>) -> Self {
        Self { run, parent: None, id: None, invoke: invoke::<A, T>, predictions: T::predictions() }
    }

    pub(super) fn with(self, parent: Option<ParentMessage>, id: Option<ToolCallId>) -> Self {
        Self { parent, id, ..self }
    }
}

impl<'w, A: Agent, T: Tool> Do<'w, StartCall<'w, A, T>> {
    /// The assistant's message that carries the call in the conversation. The call gets a message of its own when not
    /// said, and when `message` is of another role: only the assistant calls tools.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let message = run.say("Let me look.").await;
    /// let mut call = run.tool::<price>().parent(&message).await;
    /// call.push(r#"{"name":"rice"}"#).await;
    /// call.end()?.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|start| start.parent = carrier)
    }

    provider_id!(id);
}

impl<'w, A: Agent, T: Tool> Act<'w> for StartCall<'w, A, T> {
    type Output = ToolCall<'w, A, T, Streaming>;

    fn act(self, emit: &'w Emit, fields: Fields) -> Self::Output {
        let id = self.id.and_then(|id| fresh(emit, id));
        let start = CallStart { tool: T::NAME.into(), side: T::Side::SIDE, parent: self.parent, id };
        let (slot, id) = emit.act(|kernel, author| kernel.open_call(author, start, fields));
        ToolCall::open(self.run, SpanGuard::new(emit, slot), id, self.invoke, self.predictions)
    }
}

/// A complete call about to be made; awaiting it sends TOOL_CALL_START, ARGS and END.
pub type CallTool<'w, A, T> = Do<'w, CallAtOnce<'w, A, T>>;

/// The act of making a complete call.
pub struct CallAtOnce<'w, A: Agent, T: Tool> {
    start: StartCall<'w, A, T>,
    json: Result<String, serde_json::Error>,
    tool: T,
}

impl<'w, A: Agent, T: ToolOf<A>> CallAtOnce<'w, A, T> {
    pub(super) fn new(run: &'w Run<A>, tool: T) -> Self {
        Self { start: StartCall::new(run), json: serde_json::to_string(&tool), tool }
    }
}

impl<'w, A: Agent, T: Tool> Do<'w, CallAtOnce<'w, A, T>> {
    /// The assistant's message that carries the call in the conversation. The call gets a message of its own when not
    /// said, and when `message` is of another role: only the assistant calls tools.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let message = run.say("Let me look.").await;
    /// let call = run.call(price { name: "rice".to_owned() }).parent(&message).await?;
    /// call.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|call| call.start.parent = carrier)
    }

    provider_id!(start.id);
}

impl<'w, A: Agent, T: Tool> Act<'w> for CallAtOnce<'w, A, T> {
    type Output = Result<<T::Side as Side>::After<'w, A, T>, CallError>;

    fn act(self, emit: &'w Emit, fields: Fields) -> Self::Output {
        let delta = self.json.map_err(|source| CallError::Unwritable { tool: T::NAME, source })?;
        let later = following(&fields);
        Ok(self.start.act(emit, fields).complete(delta, self.tool, later))
    }
}

pub(super) fn invoke<'s, A: Agent, T: ToolOf<A>>(tool: T, scope: &'s Scope<'_, A>) -> Invoked<'s, T> {
    Box::pin(tool.invoke(scope))
}
