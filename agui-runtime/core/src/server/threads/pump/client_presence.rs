//! The clients that read a run: how long a run waits for readers.

use std::future::pending;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::server::threads::options::ClientLeaves;

/// The time in which other servers report clients that read a run.
const READER_REPORT: Duration = Duration::from_millis(500);

/// Resolves when no client reads the run.
async fn until_unread(mut readers: watch::Receiver<usize>) {
    if readers.wait_for(|readers| *readers == 0).await.is_err() {
        // The count of another run of this id took its place.
        pending::<()>().await;
    }
}

/// Responds to another run's request for readers: other servers get time to report their clients, and clients get time to move
/// from one server to another. The request is repeated.
pub(super) async fn reader_response(
    mut readers: watch::Receiver<usize>,
    asked: Option<Instant>,
    not_before: Instant,
) -> bool {
    let Some(asked) = asked else { return pending().await };
    tokio::select! {
        biased;
        // The count may also be that of another run of this id.
        is_read = readers.wait_for(|readers| *readers > 0).map(|found| found.is_ok()) => is_read || pending().await,
        () = sleep_until(not_before.max(asked + READER_REPORT)) => false,
    }
}

/// Resolves when no client has read the run for the policy's time.
pub(super) async fn until_clients_leave(mut readers: watch::Receiver<usize>, policy: ClientLeaves) {
    let ClientLeaves::CancelAfter(grace) = policy else { return pending().await };
    loop {
        until_unread(readers.clone()).await;
        let came_back = readers.wait_for(|readers| *readers > 0).map(drop);
        if tokio::time::timeout(grace, came_back).await.is_err() {
            return;
        }
    }
}
