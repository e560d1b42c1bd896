//! Tool calls in progress: [`streaming`] while the arguments are written, [`called`] once they are complete.

mod called;
mod streaming;

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::emitter::SpanGuard;
use super::{CallRef, Run};
use crate::agent::Agent;
use crate::protocol::ToolCallId;
use crate::tool::{Scope, Tool};

pub use called::{AnswerCall, CompleteArguments};
pub use streaming::{Arguments, PushArguments};

/// How far a [`ToolCall`] has come: [`Streaming`] or [`Called`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a phase of a tool call",
    label = "neither `Streaming` nor `Called`",
    note = "write `ToolCall<'_, A, T, Streaming>` before its TOOL_CALL_END, `ToolCall<'_, A, T, Called>` after it"
)]
pub trait ToolPhase: sealed::Sealed {
    #[doc(hidden)]
    type Held<A: Agent, T: Tool>;
}

/// The arguments are still being written.
#[derive(Debug)]
pub enum Streaming {}

/// The arguments are complete; the call wants its result.
#[derive(Debug)]
pub enum Called {}

impl ToolPhase for Streaming {
    type Held<A: Agent, T: Tool> = Arguments<A>;
}

impl ToolPhase for Called {
    type Held<A: Agent, T: Tool> = CompleteArguments<T>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Streaming {}
    impl Sealed for super::Called {}
}

/// A call of tool `T` in progress.
///
/// ```text
/// run.tool::<T>() ─▶ ToolCall<.., Streaming> ─ end() ─▶ ToolCall<.., Called>   run() · result() · fail()   (backend)
/// run.call(T {..}) ───────────────────────────────────▶ PendingCall<T>         answered in the next run    (frontend)
/// ```
///
/// Dropping it never leaves the wire open. A backend call that was not ended, or not answered, gets the result
/// `{"error":"abandoned"}`, because model providers refuse a history with a dangling call. A frontend call cut off in
/// its arguments is not ended, since the client would act on half of them; such a run can only end in RUN_ERROR.
#[must_use = "a call that is dropped is answered with an error"]
#[diagnostic::on_move(
    message = "a call has one TOOL_CALL_END, and one TOOL_CALL_RESULT after it",
    label = "this call was ended, answered or given away",
    note = "push first, then `let call = call.end()?;`, then `call.run()`, `call.result(..)` or `call.fail(..)` once"
)]
pub struct ToolCall<'w, A: Agent, T: Tool, P: ToolPhase> {
    run: &'w Run<A>,
    span: SpanGuard<'w>,
    id: ToolCallId,
    held: P::Held<A, T>,
    invoke: InvokeFn<A, T>,
}

/// How the tool's function is called. Taken where the call is made, so that only there the tool must be one of the
/// agent's: a mistake in the agent's list is one error, not one for each step of a call.
pub(in crate::emit) type InvokeFn<A, T> = for<'s, 'a> fn(T, &'s Scope<'a, A>) -> Invoked<'s, T>;

pub(in crate::emit) type Invoked<'s, T> = Pin<Box<dyn Future<Output = <T as Tool>::Returns> + Send + 's>>;

impl<'w, A: Agent, T: Tool, P: ToolPhase> ToolCall<'w, A, T, P> {
    pub(super) fn in_run(&self) -> &'w Run<A> {
        self.run
    }

    /// The id of the call on the wire.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> Result<u32, std::fmt::Error> { Ok(180) }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// let id = call.id().clone();
    /// call.run().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// The receipt of the call, for what must name it when it has been answered.
    pub fn receipt(&self) -> CallRef {
        CallRef::new(self.id.clone())
    }
}

impl<A: Agent, T: Tool, P: ToolPhase> fmt::Debug for ToolCall<'_, A, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall").field("tool", &T::NAME).field("id", &self.id).finish_non_exhaustive()
    }
}
