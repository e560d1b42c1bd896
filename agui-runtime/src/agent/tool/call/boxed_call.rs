//! Open calls of any tool of an agent, for code that holds several of them while it waits.

use std::marker::PhantomData;

use super::named_call::OpenToolCall;
use super::ready_call::ReadyToolCall;
use crate::agent::PushArguments;
use crate::agent::tool::{Decided, ToolSet};
use crate::emit::WriteFuture;
use crate::protocol::ToolCallId;

/// An open call of any tool of an agent. Unlike the agent's own type of open calls it is known to be `Send`.
#[doc(hidden)]
pub type BoxedCall<'w> = Box<dyn AnyCall<'w> + Send + 'w>;

/// The operations on an open call that do not depend on its type.
#[doc(hidden)]
pub trait AnyCall<'w> {
    /// Appends to the JSON text of the arguments.
    fn push(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>>;

    /// Completes the arguments, and returns the call as it is settled once its policy has decided; or the reason why it
    /// cannot run, with which it is answered.
    fn settle(self: Box<Self>) -> Result<Decided<'w>, String>;

    /// Ends a call of a backend tool, and answers it with the reason why it does not run.
    fn refuse(self: Box<Self>, why: &str);

    /// Returns the id of the call on the wire.
    fn id(&self) -> &ToolCallId;
}

struct Boxed<C, A>(C, PhantomData<fn() -> A>);

impl<'w, A: ToolSet, C: OpenToolCall<'w, A>> AnyCall<'w> for Boxed<C, A>
where
    C::Ready: ReadyToolCall + 'w,
{
    fn push(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>> {
        self.0.push(delta)
    }

    fn settle(self: Box<Self>) -> Result<Decided<'w>, String> {
        self.0.end().map(ReadyToolCall::decide).map_err(|error| error.to_string())
    }

    fn refuse(self: Box<Self>, why: &str) {
        self.0.untyped().reject(why);
    }

    fn id(&self) -> &ToolCallId {
        self.0.id()
    }
}

/// Boxes an open call. The code that `#[agent]` generates calls it.
#[doc(hidden)]
pub fn boxed_call<'w, A: ToolSet, C: OpenToolCall<'w, A> + Send + 'w>(call: C) -> BoxedCall<'w>
where
    C::Ready: ReadyToolCall + 'w,
{
    Box::new(Boxed::<C, A>(call, PhantomData))
}
