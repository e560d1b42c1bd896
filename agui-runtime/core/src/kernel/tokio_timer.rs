//! Timer for runs inside a tokio runtime.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::Timer;

/// Sleeps by tokio's timer.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TokioTimer;

impl Timer for TokioTimer {
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        async move { tokio::time::sleep(time).await }.boxed()
    }
}
