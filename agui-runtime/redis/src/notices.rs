//! Wakes readers for all nodes' writes, through one stream.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime_core::__leaf::{ReconnectPauses, ThreadWakes};
use agui_runtime_core::thread::LogError;
use redis::aio::MultiplexedConnection;
use redis::streams::{StreamRangeReply, StreamReadReply};
use redis::{Client, RedisError, cmd};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::failure::log_error;
use super::keys::NOTICES;
use super::link::connect;

/// The time that one stream read blocks. A server that does not respond for much longer is gone.
const BLOCK: Duration = Duration::from_secs(2);
const GONE: Duration = Duration::from_secs(6);

/// The maximum number of notices per read: a tenth of the stream's length.
const MOST: usize = 1_000;

/// A task that is aborted on drop.
pub(super) struct RedisNotices(AbortHandle);

impl RedisNotices {
    pub(super) fn start(client: Client, wakes: Arc<ThreadWakes<Vec<u8>>>) -> Self {
        Self(tokio::spawn(listen(client, wakes)).abort_handle())
    }
}

impl Drop for RedisNotices {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn listen(client: Client, wakes: Arc<ThreadWakes<Vec<u8>>>) {
    let mut pauses = ReconnectPauses::default();
    loop {
        let Err(error) = receive_notices(&client, &wakes, &mut pauses).await;
        tracing::debug!(%error, "notices of threads have ended: connecting again");
        sleep(pauses.next_pause()).await;
    }
}

/// Wakes readers by notices as long as the connection lasts.
async fn receive_notices(
    client: &Client,
    wakes: &ThreadWakes<Vec<u8>>,
    pauses: &mut ReconnectPauses,
) -> Result<std::convert::Infallible, LogError> {
    let mut connection = connect(client, None).await?;
    // Not from the last that was read: a server that lost its end gives these ids again.
    let mut last = in_time(newest(&mut connection)).await?;
    *pauses = ReconnectPauses::default();
    // Notices from before were not received.
    wakes.wake_all();
    loop {
        let notices = in_time(read(&mut connection, &last)).await?;
        if notices.len() == MOST {
            // There are more, and the stream may have dropped some.
            wakes.wake_all();
        }
        for (id, name) in notices {
            wakes.wake(&name);
            last = id;
        }
    }
}

async fn in_time<T>(work: impl Future<Output = Result<T, RedisError>>) -> Result<T, LogError> {
    match timeout(GONE, work).await {
        Ok(done) => done.map_err(|error| log_error(&error)),
        Err(_) => Err(LogError::new("the server does not answer")),
    }
}

/// Returns the newest notice's id.
async fn newest(connection: &mut MultiplexedConnection) -> Result<String, RedisError> {
    let newest: StreamRangeReply =
        cmd("XREVRANGE").arg(NOTICES).arg("+").arg("-").arg("COUNT").arg(1).query_async(connection).await?;
    Ok(newest.ids.into_iter().next().map_or_else(|| "0-0".to_owned(), |notice| notice.id))
}

/// Returns the notices after an id, with their threads' names. Waits for the first.
async fn read(
    connection: &mut MultiplexedConnection,
    after: &str,
) -> Result<Vec<(String, Vec<u8>)>, RedisError> {
    let mut read = cmd("XREAD");
    read.arg("COUNT").arg(MOST).arg("BLOCK").arg(BLOCK.as_millis() as u64);
    read.arg("STREAMS").arg(NOTICES).arg(after);
    let read: Option<StreamReadReply> = read.query_async(connection).await?;
    let notices = read.into_iter().flat_map(|read| read.keys).flat_map(|stream| stream.ids);
    Ok(notices.map(|notice| (notice.id.clone(), notice.get("t").unwrap_or_default())).collect())
}
