//! Opens calls to a tool known by type.

use super::provider_id::{fresh, provider_id};
use super::{InvokeFn, RunningTool, ToolInvoker, UntypedCall};
use crate::agent::tool::result::written::text_of;
use crate::agent::tool::{ExecutionSide, InjectScope, InvokeTool, StatePredictions, Tool, ToolOf};
use crate::agent::{Agent, Call, CallError, OpenPhase, Run};
use crate::emit::{Emit, ParentReceipt, RunWrite, SpanGuard, WriteFuture};
use crate::kernel::{CallStart, ParentMessage, WriteFields, following};
use crate::protocol::{ToolCallId, ToolSide};

/// A call before its start; awaiting sends TOOL_CALL_START; see [`Run::tool`](crate::Run::tool).
pub type OpenCall<'w, A, T> = WriteFuture<'w, StartCall<'w, A, T>>;

/// Write that opens a call; see [`Run::tool`](crate::Run::tool).
pub struct StartCall<'w, A: Agent, T: Tool> {
    run: &'w Run<A>,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
    invoke: ToolInvoker<A, T>,
    predictions: Option<Box<StatePredictions<A>>>,
}

impl<'w, A: Agent, T: ToolOf<A>> StartCall<'w, A, T> {
    pub(crate) fn new(run: &'w Run<A>) -> Self {
        Self { run, parent: None, id: None, invoke: invoker::<A, T>(), predictions: predictions::<A, T>() }
    }
}

impl<'w, A: Agent, T: Tool> WriteFuture<'w, StartCall<'w, A, T>> {
    /// Names the assistant message that carries the call. By default, or if `message` has another role, the call gets its own
    /// message: only the assistant calls tools.
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|start| start.parent = carrier)
    }

    provider_id!(id);
}

impl<'w, A: Agent, T: Tool> RunWrite<'w> for StartCall<'w, A, T> {
    type Output = Call<'w, A, T, OpenPhase>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> Self::Output {
        let call = open(self.run, emit, (T::NAME, T::Side::SIDE), (self.parent, self.id), fields);
        Call::open(call.with_predictions(self.predictions), self.invoke)
    }
}

/// Tool-independent, so that it is compiled once.
pub(in crate::agent::tool) fn open<'w, A: Agent>(
    run: &'w Run<A>,
    emit: &'w Emit,
    (tool, side): (&'static str, ToolSide),
    (parent, id): (Option<ParentMessage>, Option<ToolCallId>),
    fields: WriteFields,
) -> UntypedCall<'w, A> {
    let start = CallStart { tool: tool.into(), side, parent, id };
    let (span, id) = open_span(emit, start, fields);
    UntypedCall::new(run, span, id, tool)
}

/// Opens a call to any tool, under the requested id, unless that id is taken.
pub(crate) fn open_span(
    emit: &Emit,
    mut start: CallStart,
    fields: WriteFields,
) -> (SpanGuard<'_>, ToolCallId) {
    start.id = start.id.and_then(|id| fresh(emit, id));
    let (slot, id) = emit.act(|kernel, author| kernel.open_call(author, start, fields));
    (SpanGuard::new(emit, slot), id)
}

/// A call with complete arguments, before its start; awaiting sends TOOL_CALL_START, ARGS and END; see
/// [`Run::call`](crate::Run::call).
pub type CallTool<'w, A, T> = WriteFuture<'w, CallAtOnce<'w, A, T>>;

/// Write that sends a call with complete arguments; see [`Run::call`](crate::Run::call).
pub struct CallAtOnce<'w, A: Agent, T: Tool> {
    start: StartCall<'w, A, T>,
    json: Result<String, serde_json::Error>,
    tool: T,
}

impl<'w, A: Agent, T: ToolOf<A>> CallAtOnce<'w, A, T> {
    pub(crate) fn new(run: &'w Run<A>, tool: T) -> Self {
        Self { start: StartCall::new(run), json: text_of(&tool), tool }
    }
}

impl<'w, A: Agent, T: Tool> WriteFuture<'w, CallAtOnce<'w, A, T>> {
    /// Names the assistant message that carries the call. By default, or if `message` has another role, the call gets its own
    /// message: only the assistant calls tools.
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|call| call.start.parent = carrier)
    }

    provider_id!(start.id);
}

impl<'w, A: Agent, T: Tool> RunWrite<'w> for CallAtOnce<'w, A, T> {
    type Output = Result<<T::Side as ExecutionSide>::After<'w, A, T>, CallError>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> Self::Output {
        let delta = self.json.map_err(|source| CallError::Unwritable { tool: T::NAME, source })?;
        let later = following(&fields);
        Ok(self.start.act(emit, fields).complete(delta, self.tool, later))
    }
}

pub(crate) fn invoker<A: Agent, T: ToolOf<A>>() -> ToolInvoker<A, T> {
    let function: InvokeFn<A, T> = invoke::<A, T>;
    ToolInvoker { function, asks: T::APPROVAL }
}

pub(super) fn predictions<A: Agent, T: ToolOf<A>>() -> Option<Box<StatePredictions<A>>> {
    T::PREDICTIONS.map(|predictions| predictions())
}

pub(in crate::agent::tool) fn invoke<'s, A: Agent, T: InvokeTool<A>>(
    tool: T,
    scope: InjectScope<'s, A>,
    place: Option<&'s mut Option<T::Returns>>,
) -> RunningTool<'s> {
    Box::pin(async move {
        let mut returned = tool.invoke(&scope).await;
        let ran = (T::outcome().read)(&mut returned).settled(T::MAX_RESULT, place.is_some());
        if let Some(place) = place {
            *place = Some(returned);
        }
        ran
    })
}
