//! Type-erased open calls, for code that holds several while waiting.

use std::marker::PhantomData;

use super::named_call::OpenToolCall;
use super::ready_call::ReadyToolCall;
use crate::agent::PushArguments;
use crate::agent::tool::{SettlementStage, ToolSet};
use crate::emit::WriteFuture;
use crate::protocol::ToolCallId;

/// An open call to any tool. Unlike the agent's own open call type, `Send` is known.
#[doc(hidden)]
pub type BoxedCall<'w> = Box<dyn AnyOpenCall<'w> + Send + 'w>;

/// Type-independent operations on an open call.
#[doc(hidden)]
pub trait AnyOpenCall<'w> {
    /// Appends to the arguments' JSON text.
    fn push(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>>;

    /// Completes the arguments, and returns the call for settlement once its policy has decided; otherwise the reason why the call
    /// cannot run, which is also the call's result.
    fn settle(self: Box<Self>) -> Result<SettlementStage<'w>, String>;

    /// Ends a backend call, and sends as result the reason why the call does not run.
    fn refuse(self: Box<Self>, why: &str);

    /// Returns the call id on the wire.
    fn id(&self) -> &ToolCallId;
}

struct BoxedOpenCall<C, A>(C, PhantomData<fn() -> A>);

impl<'w, A: ToolSet, C: OpenToolCall<'w, A>> AnyOpenCall<'w> for BoxedOpenCall<C, A>
where
    C::Ready: ReadyToolCall + 'w,
{
    fn push(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>> {
        self.0.push(delta)
    }

    fn settle(self: Box<Self>) -> Result<SettlementStage<'w>, String> {
        self.0.end().map(ReadyToolCall::decide).map_err(|error| error.to_string())
    }

    fn refuse(self: Box<Self>, why: &str) {
        self.0.untyped().reject(why);
    }

    fn id(&self) -> &ToolCallId {
        self.0.id()
    }
}

/// Boxes an open call, for code that `#[agent]` generates.
#[doc(hidden)]
pub fn boxed_call<'w, A: ToolSet, C: OpenToolCall<'w, A> + Send + 'w>(call: C) -> BoxedCall<'w>
where
    C::Ready: ReadyToolCall + 'w,
{
    Box::new(BoxedOpenCall::<C, A>(call, PhantomData))
}
