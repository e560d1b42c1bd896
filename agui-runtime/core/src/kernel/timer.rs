//! Timers for limits.

use std::time::Duration;

use futures_util::future::BoxFuture;

/// Returns futures that are ready after a given time. The runtime knows no executor, so the program supplies a timer.
///
/// This crate's server has tokio's timer; [`testing::ManualTimer`](crate::testing::ManualTimer) is for tests. Without a timer,
/// time limits such as [`Chat::max_time`](crate::model::Chat::max_time) are refused.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::{RunOptions, Timer};
/// use futures::FutureExt;
/// use futures::future::BoxFuture;
///
/// struct Tokio;
///
/// impl Timer for Tokio {
///     fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
///         async move { tokio::time::sleep(time).await }.boxed()
///     }
/// }
///
/// let options = RunOptions::default().timer(Tokio);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a timer",
    label = "not a timer",
    note = "implement `agui_runtime::Timer` for it, with the `sleep` of your executor"
)]
pub trait Timer: Send + Sync {
    /// Returns a future that is ready when the time, counted from this call on, has passed.
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()>;
}
