//! The forms in which an agent is given to a run.

use std::sync::Arc;

use super::{Agent, DynAgent};

/// An agent, or an [`Arc`] of one that several runs share: what [`start`](crate::start) and
/// [`Emit::delegate`](crate::Emit::delegate) take.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::{RunOptions, start, testing};
///
/// /// Waits at the table.
/// #[agent]
/// async fn waiter(run: &mut Run<Waiter>, input: Input<Waiter>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// let shared = Arc::new(Waiter::new());
/// let one = start(&shared, testing::input("Hi"), RunOptions::default());
/// let other = start(shared, testing::input("Hi"), RunOptions::default());
/// let alone = start(Waiter::new(), testing::input("Hi"), RunOptions::default());
/// ```
#[diagnostic::on_unimplemented(
    message = "an agent is expected, and this type is none",
    label = "neither an agent nor an `Arc` of one",
    note = "`#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes \
            the agent `Chef`: pass `Chef::new()`, not `chef`"
)]
pub trait IntoAgent<A: Agent> {
    #[doc(hidden)]
    fn into_agent(self) -> Arc<A>;
}

#[diagnostic::do_not_recommend]
impl<A: Agent> IntoAgent<A> for A {
    fn into_agent(self) -> Arc<A> {
        Arc::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Agent> IntoAgent<A> for Arc<A> {
    fn into_agent(self) -> Arc<A> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<A: Agent> IntoAgent<A> for &Arc<A> {
    fn into_agent(self) -> Arc<A> {
        Arc::clone(self)
    }
}

/// An agent whose type the receiver does not know: an agent, an [`Arc`] of one, or an `Arc<dyn DynAgent>`.
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
    message = "an agent is expected, and this type is none",
    label = "neither an agent nor an `Arc` of one",
    note = "`#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes \
            the agent `Chef`: pass `Chef::new()`, not `chef`"
)]
pub trait IntoDynAgent {
    /// Returns the agent behind its trait object.
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
