//! Forms in which a run or a server takes an agent.

use std::sync::Arc;

use super::{Agent, DynAgent};

/// A shared agent: an [`Arc`], or a reference to one, as [`Emit::delegate`](crate::Emit::delegate) takes.
#[diagnostic::on_unimplemented(
    message = "this type is not an agent in an `Arc`",
    label = "not an `Arc` of an agent",
    note = "runs share their agent: `let chef = Arc::new(Chef::new());`, then pass `&chef`; the agent of the function `chef` is \
            `Chef::new()`"
)]
pub trait SharedAgent<A: Agent> {
    #[doc(hidden)]
    fn shared(self) -> Arc<A>;
}

impl<A: Agent> SharedAgent<A> for Arc<A> {
    fn shared(self) -> Arc<A> {
        self
    }
}

impl<A: Agent> SharedAgent<A> for &Arc<A> {
    fn shared(self) -> Arc<A> {
        Arc::clone(self)
    }
}

/// An agent whose type the receiver does not know: an agent, an agent in an [`Arc`], or an `Arc<dyn DynAgent>`.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::DynAgent;
/// use agui_runtime::runs::IntoDynAgent;
///
/// /// Waits at the table.
/// #[agent]
/// async fn waiter(run: &mut Run<Waiter>, input: Input<Waiter>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// let shared: Arc<dyn DynAgent> = Arc::new(Waiter::new()).into_dyn_agent();
/// assert_eq!(shared.describe().name, Waiter::new().into_dyn_agent().describe().name);
/// ```
#[diagnostic::on_unimplemented(
    message = "this type is not an agent",
    label = "neither an agent nor an `Arc` of one",
    note = "`#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes \
            the agent `Chef`: pass `Chef::new()`, not `chef`"
)]
pub trait IntoDynAgent {
    /// Returns the agent as a trait object.
    fn into_dyn_agent(self) -> Arc<dyn DynAgent>;
}

impl<A: Agent> IntoDynAgent for A {
    fn into_dyn_agent(self) -> Arc<dyn DynAgent> {
        Arc::new(self)
    }
}

impl<A: Agent> IntoDynAgent for Arc<A> {
    fn into_dyn_agent(self) -> Arc<dyn DynAgent> {
        self
    }
}

impl IntoDynAgent for Arc<dyn DynAgent> {
    fn into_dyn_agent(self) -> Self {
        self
    }
}
