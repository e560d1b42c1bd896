//! Time limit for tool calls.

use std::borrow::Cow;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};

use super::{InjectScope, Tool};
use crate::agent::Agent;
use crate::kernel::Timer;

/// The reason why a tool with `timeout` has no return value. The model and the page see its text.
///
/// Such a tool's return type is a `Result` with the function's own return type and this error:
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::TimeoutError;
///
/// /// Refunds an order.
/// #[tool(timeout = "10s")]
/// async fn refund(
///     /// number on the invoice
///     order: u64,
/// ) -> u32 {
///     500
/// }
///
/// /// Refunds.
/// #[agent(tools = [refund])]
/// async fn desk(run: &mut Run<Desk>, _: Input<Desk>) -> Result<(), Stop> {
///     let cents: Result<u32, TimeoutError> = run.call(refund { order: 7 }).await?.run().await;
///     assert_eq!(cents, Ok(500));
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Desk::new(), agui_runtime::testing::input("Refund me.")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeoutError {
    /// The function did not return in time, and was dropped.
    #[error("the tool `{tool}` took longer than {timeout:?}, and was stopped")]
    Elapsed {
        /// The tool's name.
        tool: Cow<'static, str>,
        /// The time limit.
        timeout: Duration,
    },
    /// The run has no [timer](crate::RunOptions::timer) for the limit; the function was not called.
    #[error(
        "the tool `{tool}` has a timeout and did not run: a timeout needs a timer, set `RunOptions::timer`"
    )]
    NoTimer {
        /// The tool's name.
        tool: Cow<'static, str>,
    },
}

/// Waits for the function under a tool's `timeout`, and drops the function when the time has passed.
///
/// # Errors
/// [`TimeoutError`] if the time has passed, or the run has no timer.
#[doc(hidden)]
pub async fn within<A: Agent, T: Tool, F: Future>(
    scope: &InjectScope<'_, A>,
    function: F,
) -> Result<F::Output, TimeoutError> {
    timed(scope.timer(), T::NAME.into(), T::TIMEOUT.unwrap_or(Duration::MAX), function).await
}

/// Independent of the tool's kind.
pub(crate) async fn timed<F: Future>(
    timer: Option<&dyn Timer>,
    tool: Cow<'static, str>,
    timeout: Duration,
    function: F,
) -> Result<F::Output, TimeoutError> {
    let Some(timer) = timer else {
        tracing::error!(
            %tool,
            "the run has no timer, which the timeout of the tool needs: set `RunOptions::timer`"
        );
        return Err(TimeoutError::NoTimer { tool });
    };
    match select(pin!(function), timer.sleep(timeout)).await {
        Either::Left((returned, _)) => Ok(returned),
        Either::Right(_) => Err(TimeoutError::Elapsed { tool, timeout }),
    }
}
