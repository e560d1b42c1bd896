use crate::agent::Agent;
use crate::emit::{ToolCall, ToolPhase};
use crate::protocol::ToolCallId;
use crate::tool::{Tool, ToolCtx};

/// What names the tool call that delegates, for [`Delegate::called_by`](super::Delegate::called_by).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool call",
    label = "not a tool call",
    note = "pass a call that `run.call(..)` or `run.tool(..)` gave, or the `&ToolCtx` a tool gets as a parameter"
)]
pub trait Caller: sealed::Sealed {
    #[doc(hidden)]
    fn call_id(&self) -> &ToolCallId;
}

impl<A: Agent, T: Tool, P: ToolPhase> Caller for ToolCall<'_, A, T, P> {
    fn call_id(&self) -> &ToolCallId {
        self.id()
    }
}

impl Caller for ToolCtx {
    fn call_id(&self) -> &ToolCallId {
        self.tool_call_id()
    }
}

mod sealed {
    use super::{Agent, Tool, ToolCall, ToolCtx, ToolPhase};

    pub trait Sealed {}
    impl<A: Agent, T: Tool, P: ToolPhase> Sealed for ToolCall<'_, A, T, P> {}
    impl Sealed for ToolCtx {}
}
