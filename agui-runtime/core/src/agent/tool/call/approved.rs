//! Backend tools whose calls need the user's approval.

use std::fmt;

use futures_util::future::BoxFuture;

use crate::agent::tool::policy::{UndecidedCall, decision_of, settling_stop};
use crate::agent::tool::{
    Call, ExecutionSide, InjectScope, OpenPhase, PolicyDecision, ReadyPhase, SettleOutcome, SettlementStage,
    SettlingCall, Tool, debug_call,
};
use crate::agent::{Agent, Stop};
use crate::kernel::{EventFields, ROOT};
use crate::protocol::{ToolCallId, ToolSide};

/// Tools that run in the agent once the user has approved the call: `#[tool(approval)]`.
///
/// A ready call is an [`UnapprovedCall`], which cannot run before approval.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::ApprovalSide;
///
/// /// Takes only tools that ask.
/// fn asks<T: Tool<Side = ApprovalSide>>() {}
///
/// /// Refunds an order.
/// #[tool(approval)]
/// async fn refund(cents: u32) -> bool {
///     true
/// }
/// asks::<refund>();
/// ```
#[derive(Debug)]
pub enum ApprovalSide {}

/// A ready call to a tool with approval. The call has no `run`: the user must approve first; see [`ApprovalSide`].
#[must_use = "a call that is dropped is answered with an error"]
pub struct UnapprovedCall<'w, A: Agent, T: Tool>(Call<'w, A, T, ReadyPhase>);

impl<'w, A: Agent, T: Tool> UnapprovedCall<'w, A, T> {
    /// Returns the call if the tool's policy lets the call run without approval. Waits for an async policy.
    ///
    /// # Errors
    /// The [`Stop`] with the approval interrupt: return the stop from the agent. The next run resumes the call with
    /// [`Run::resume_approvals`](crate::Run::resume_approvals).
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Refunds an order.
    /// # #[tool(approval)]
    /// # async fn refund(cents: u32) -> bool { true }
    /// # /// Refunds.
    /// # #[agent(tools = [refund])]
    /// # async fn desk(run: &mut Run<Desk>, input: Input<Desk>) -> Result<(), Stop> {
    /// let call = run.call(refund { cents: 500 }).await?.approved().await?;
    /// call.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn approved(self) -> Result<Call<'w, A, T, ReadyPhase>, Stop> {
        let scope = self.0.untyped.scope();
        let asks = self.0.asks(&scope).decided().await;
        if asks { Err(self.0.await_approval()) } else { Ok(self.0) }
    }

    /// Returns the call's arguments.
    pub fn arguments(&self) -> &T {
        self.0.arguments()
    }

    /// Returns the call id on the wire.
    pub fn id(&self) -> &ToolCallId {
        self.0.id()
    }
}

impl<A: Agent, T: Tool> fmt::Debug for UnapprovedCall<'_, A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_call(f, T::NAME, self.id())
    }
}

impl ExecutionSide for ApprovalSide {
    const SIDE: ToolSide = ToolSide::Backend;
    const APPROVAL: bool = true;
    type After<'w, A: Agent, T: Tool<Side = Self>> = UnapprovedCall<'w, A, T>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, OpenPhase>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        UnapprovedCall(call.called(arguments, fields))
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    fn decide<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> SettlementStage<'w> {
        SettlementStage::Later(Box::new(call.0))
    }
}

impl<'w, A: Agent, T: Tool> Call<'w, A, T, ReadyPhase> {
    /// Settles a call without approval.
    pub(in crate::agent) fn settle_unasked(self) -> SettlingCall<'w> {
        SettlementStage::Later(Box::new(self)).settle()
    }

    /// Decides if the user must approve the call; always true for a tool without a policy.
    fn asks<'s>(&'s self, scope: &'s InjectScope<'_, A>) -> PolicyDecision<'s> {
        let run = self.in_run();
        match self.invoke.asks {
            // The caller of the run approved a call of its agent, and none of a subagent.
            _ if run.shared().approves_calls() && run.author() == ROOT => PolicyDecision::Now(false),
            Some(asks) => decision_of(T::NAME, || asks(self.arguments(), scope)),
            None => PolicyDecision::Now(true),
        }
    }

    fn settle_or_ask(self, asks: bool) -> SettlingCall<'w> {
        if !asks {
            return self.settle();
        }
        let id = self.id().clone();
        settling_stop(SettleOutcome::Stopped { id, tool: T::NAME.into(), stop: self.await_approval() })
    }
}

impl<A: Agent, T: Tool> UndecidedCall for Call<'_, A, T, ReadyPhase> {
    fn decided<'s>(self: Box<Self>) -> BoxFuture<'s, (SettlingCall<'s>, bool)>
    where
        Self: 's,
    {
        Box::pin(async move {
            let scope = self.untyped.scope();
            let asks = self.asks(&scope).decided().await;
            (self.settle_or_ask(asks) as SettlingCall<'s>, asks)
        })
    }
}
