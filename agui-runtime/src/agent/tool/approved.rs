//! Tools that run in the agent once the user has approved the call.

use std::fmt;
use std::future::ready;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Call, Called, Settled, Settling, Side, Streaming, Tool, debug_call};
use crate::agent::{Agent, Stop, discard, panic_text};
use crate::kernel::{EventFields, ROOT};
use crate::protocol::{ToolCallId, ToolSide};
use crate::quoted::quoted;

/// Tools that run in the agent once the user has approved the call: `#[tool(approval)]`.
///
/// A complete call is an [`UnaskedCall`], which cannot run: it must be approved first.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::Approved;
///
/// /// Takes only tools that ask.
/// fn asks<T: Tool<Side = Approved>>() {}
///
/// /// Refunds an order.
/// #[tool(approval)]
/// async fn refund(cents: u32) -> bool {
///     true
/// }
/// asks::<refund>();
/// ```
#[derive(Debug)]
pub enum Approved {}

/// A complete call of a tool with approval. It has no `run`: the user must approve it first.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Refunds an order.
/// #[tool(approval)]
/// async fn refund(cents: u32) -> bool {
///     true
/// }
///
/// /// Refunds, and asks before it does.
/// #[agent(tools = [refund])]
/// async fn desk(run: &mut Run<Desk>, input: Input<Desk>) -> Result<(), Stop> {
///     let done = run.resume_approvals().await; // runs what the user approved
///     if done.answered.is_empty() {
///         let call = run.call(refund { cents: 500 }).await?;
///         call.approved()?.run().await; // ends the run with the question
///     }
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Desk::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Interrupt([_])), "{events:#?}");
/// ```
#[must_use = "a call that is dropped is answered with an error"]
pub struct UnaskedCall<'w, A: Agent, T: Tool> {
    call: Call<'w, A, T, Called>,
    asks: bool,
}

impl<'w, A: Agent, T: Tool> UnaskedCall<'w, A, T> {
    /// Returns the call if the policy of the tool lets it run without a question.
    ///
    /// # Errors
    /// The [`Stop`] with the question: return it from the agent. The next run resumes the call with
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
    /// let call = run.call(refund { cents: 500 }).await?.approved()?;
    /// call.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn approved(self) -> Result<Call<'w, A, T, Called>, Stop> {
        if self.asks { Err(self.call.ask_approval()) } else { Ok(self.call) }
    }

    /// Returns the arguments of the call.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Refunds an order.
    /// # #[tool(approval)]
    /// # async fn refund(cents: u32) -> bool { true }
    /// # /// Refunds.
    /// # #[agent(tools = [refund])]
    /// # async fn desk(run: &mut Run<Desk>, input: Input<Desk>) -> Result<(), Stop> {
    /// let call = run.call(refund { cents: 500 }).await?;
    /// assert_eq!(call.arguments().cents, 500);
    /// call.approved()?.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn arguments(&self) -> &T {
        self.call.arguments()
    }

    /// Returns the id of the call on the wire.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Refunds an order.
    /// # #[tool(approval)]
    /// # async fn refund(cents: u32) -> bool { true }
    /// # /// Refunds.
    /// # #[agent(tools = [refund])]
    /// # async fn desk(run: &mut Run<Desk>, input: Input<Desk>) -> Result<(), Stop> {
    /// let call = run.call(refund { cents: 500 }).await?;
    /// println!("asks about {}", call.id());
    /// call.approved()?.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn id(&self) -> &ToolCallId {
        self.call.id()
    }
}

impl<A: Agent, T: Tool> fmt::Debug for UnaskedCall<'_, A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_call(f, T::NAME, self.id())
    }
}

impl Side for Approved {
    const SIDE: ToolSide = ToolSide::Backend;
    const APPROVAL: bool = true;
    type After<'w, A: Agent, T: Tool<Side = Self>> = UnaskedCall<'w, A, T>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, Streaming>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        let call = call.called(arguments, fields);
        let asks = asked_by(T::NAME, || call.asks());
        UnaskedCall { call, asks }
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    fn settle<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> Settling<'w> {
        call.call.settle_or_ask(call.asks)
    }

    fn asks<A: Agent, T: Tool<Side = Self>>(call: &Self::After<'_, A, T>) -> bool {
        call.asks
    }
}

/// Returns the decision of a policy. If it panics, the user is asked.
pub(crate) fn asked_by(tool: &str, policy: impl FnOnce() -> bool) -> bool {
    catch_unwind(AssertUnwindSafe(policy)).unwrap_or_else(|panic| {
        let text = quoted(panic_text(&*panic)).to_string();
        tracing::error!(tool, panic = text, "the policy of an approval panicked: the user is asked");
        discard(panic);
        true
    })
}

impl<'w, A: Agent, T: Tool> Call<'w, A, T, Called> {
    /// Settles a call that the user was not asked about.
    pub(in crate::agent) fn settle_unasked(self) -> Settling<'w> {
        let asks = asked_by(T::NAME, || self.asks());
        self.settle_or_ask(asks)
    }

    fn settle_or_ask(self, asks: bool) -> Settling<'w> {
        if !asks {
            return self.settle();
        }
        let id = self.id().clone();
        Box::pin(ready(Settled::Stopped { id, tool: T::NAME.into(), stop: self.ask_approval() }))
    }

    /// Returns true if the user must approve the call. A tool without a policy always asks.
    fn asks(&self) -> bool {
        let run = self.in_run();
        // The caller of the run approved a call of its agent, and none of a subagent.
        if run.shared().approves_calls() && run.author() == ROOT {
            return false;
        }
        self.invoke.asks.is_none_or(|asks| asks(self.arguments(), &self.untyped.scope()))
    }
}
