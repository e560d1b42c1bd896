//! Tool calls in progress: [`streaming`] while the arguments are written, [`called`] once they are complete.

pub(super) mod approved;
pub(super) mod boxed_call;
pub(super) mod call_error;
mod called;
pub(super) mod caller;
pub(super) mod client_call;
pub(super) mod dispatch;
pub(super) mod named_call;
pub(super) mod open_call;
pub(super) mod pending;
pub(super) mod provider_id;
pub(super) mod ready_call;
pub(super) mod settled;
mod streaming;
mod untyped;

use std::fmt;
use std::marker::PhantomData;

use futures_util::future::BoxFuture;

use crate::agent::tool::{InjectScope, Tool, ToolFailure};
use crate::agent::{Agent, Run, Stop};
use crate::emit::{CallRef, EncryptedEntity, EncryptedTarget};
use crate::protocol::{Content, ToolCallId};

pub use called::SendCallResult;
#[cfg(feature = "model")]
pub(crate) use called::{refused, settle_running};
pub use streaming::PushArguments;
pub use untyped::UntypedCall;

/// A [`Call`]'s phase: [`OpenPhase`] or [`ReadyPhase`].
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// use agui_runtime::Call;
/// use agui_runtime::tools::CallPhase;
///
/// /// Returns the id of a call in any phase.
/// fn number<A: Agent, T: Tool, P: CallPhase>(call: &Call<'_, A, T, P>) -> String {
///     call.id().as_str().to_owned()
/// }
///
/// let mut call = run.tool::<price>().await;
/// call.push(r#"{"name":"rice"}"#).await;
/// let streaming = number(&call);
/// let call = call.end()?;
/// assert_eq!(number(&call), streaming);
/// call.run().await;
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a phase of a tool call",
    label = "neither `OpenPhase` nor `ReadyPhase`",
    note = "write `Call<'_, A, T, OpenPhase>` before its TOOL_CALL_END, `Call<'_, A, T, ReadyPhase>` after it"
)]
pub trait CallPhase: sealed::Sealed {
    #[doc(hidden)]
    type Held<T>;
}

/// The call is open: arguments are still being written; see [`Call`].
#[derive(Debug)]
pub enum OpenPhase {}

/// The call is ready: arguments are complete, and the result is due; see [`Call`].
#[derive(Debug)]
pub enum ReadyPhase {}

impl CallPhase for OpenPhase {
    type Held<T> = PhantomData<fn() -> T>;
}

impl CallPhase for ReadyPhase {
    type Held<T> = T;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::OpenPhase {}
    impl Sealed for super::ReadyPhase {}
}

/// A call to tool `T` in progress.
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let call = run.call(price { name: "rice".to_owned() }).await?; // TOOL_CALL_START, ARGS, END
/// let cents = call.run().await; // TOOL_CALL_RESULT
/// assert_eq!(cents, 180);
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
///
/// ```text
/// run.tool::<T>() ─▶ Call<.., OpenPhase> ─ end() ─▶ Call<.., ReadyPhase>   run() · result() · fail()   (backend)
/// run.call(T {..}) ───────────────────────────────────▶ PendingCall<T>         answered in the next run    (frontend)
/// ```
///
/// Dropping a call never leaves the wire open. A backend call that was not ended, or has no result, gets the result
/// `{"error":"abandoned"}`, because model providers refuse a history with a dangling call. A frontend call cut off in its
/// arguments is not ended, because the client would act on partial arguments; such a run can only end in RUN_ERROR.
#[must_use = "a call that is dropped is answered with an error"]
#[diagnostic::on_move(
    message = "a call has one TOOL_CALL_END, and one TOOL_CALL_RESULT after it",
    label = "this call was ended, answered or given away",
    note = "push first, then `let call = call.end()?;`, then `call.run()`, `call.result(..)` or `call.fail(..)` once"
)]
pub struct Call<'w, A: Agent, T: Tool, P: CallPhase> {
    #[doc(hidden)]
    pub untyped: UntypedCall<'w, A>,
    held: P::Held<T>,
    pub(super) invoke: ToolInvoker<A, T>,
}

/// A tool's functions for an agent. They are chosen where the call is made, so that the tool must belong to the agent only there:
/// a mistake in the agent's list is then one error, not one for each call step.
pub(crate) struct ToolInvoker<A: Agent, T: Tool> {
    pub(crate) function: InvokeFn<A, T>,
    /// True if the user must approve the call; `None` for a tool without approval.
    pub(crate) asks: Option<super::PolicyFn<A, T>>,
}

/// Runs a tool's function, and moves the returned value into the slot, if there is one.
///
/// The future's type does not depend on the tool, so that settling a call is compiled once, and not for each tool.
pub(crate) type InvokeFn<A, T> =
    for<'s> fn(T, InjectScope<'s, A>, Option<&'s mut Option<<T as Tool>::Returns>>) -> RunningTool<'s>;

/// A running function: content for the model, and the stop that ends the run.
pub(crate) type RunningTool<'s> = BoxFuture<'s, (Result<Content, ToolFailure>, Option<Stop>)>;

impl<'w, A: Agent, T: Tool, P: CallPhase> Call<'w, A, T, P> {
    pub(crate) fn in_run(&self) -> &'w Run<A> {
        self.untyped.run
    }

    /// Returns the call id on the wire.
    pub fn id(&self) -> &ToolCallId {
        &self.untyped.id
    }

    /// Returns the call's receipt, for writes that name the call after its result.
    pub fn receipt(&self) -> CallRef {
        CallRef::new(self.id().clone())
    }
}

impl<A: Agent, T: Tool, P: CallPhase> EncryptedEntity for Call<'_, A, T, P> {
    fn entity(&self) -> Option<EncryptedTarget> {
        Some(EncryptedTarget::call(self.id()))
    }
}

impl<A: Agent, T: Tool, P: CallPhase> fmt::Debug for Call<'_, A, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_call(f, T::NAME, self.id())
    }
}

pub(crate) fn debug_call(f: &mut fmt::Formatter<'_>, tool: &str, id: &ToolCallId) -> fmt::Result {
    f.debug_struct("Call").field("tool", &tool).field("id", id).finish_non_exhaustive()
}
