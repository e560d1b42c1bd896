//! The timer of runs behind a server: that of tokio.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::kernel::Timer;

pub(super) struct TokioTimer;

impl Timer for TokioTimer {
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        async move { tokio::time::sleep(time).await }.boxed()
    }
}
