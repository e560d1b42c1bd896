//! Handles and ids for calls that a run may report on.

use crate::agent::tool::{Tool, ToolCtx};
use crate::agent::{Agent, Call, CallPhase};
use crate::protocol::ToolCallId;

/// A reference to a tool call, for [`Emit::progress`](crate::Emit::progress) and, if the call delegates, for
/// [`Delegate::called_by`](crate::future::Delegate::called_by).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool call",
    label = "not a tool call",
    note = "pass a call that `run.call(..)` or `run.tool(..)` returned, or the parameter `&ToolCtx` of a tool"
)]
pub trait CallHandle: sealed::Sealed {
    #[doc(hidden)]
    fn call_id(&self) -> &ToolCallId;
}

impl<A: Agent, T: Tool, P: CallPhase> CallHandle for Call<'_, A, T, P> {
    fn call_id(&self) -> &ToolCallId {
        self.id()
    }
}

impl CallHandle for ToolCtx {
    fn call_id(&self) -> &ToolCallId {
        self.tool_call_id()
    }
}

mod sealed {
    use super::{Agent, Call, CallPhase, Tool, ToolCtx};

    pub trait Sealed {}
    impl<A: Agent, T: Tool, P: CallPhase> Sealed for Call<'_, A, T, P> {}
    impl Sealed for ToolCtx {}
}
