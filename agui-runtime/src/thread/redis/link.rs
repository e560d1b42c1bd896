//! A connection to the server that is made again when it is lost. Calls share it, and do not wait for each other.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, FromRedisValue, InfoDict, RedisError, cmd};

use super::failure::{is_answer, log_error};
use super::replies::AppendReply;
use super::scripts::Call;
use crate::thread::append::AppendError;
use crate::thread::log_error::LogError;
use crate::thread::reconnect::Reconnect;

/// The time for a connection, and for an answer.
const ANSWER: Duration = Duration::from_secs(10);

pub(super) struct Link {
    client: Client,
    connections: Reconnect<MultiplexedConnection>,
}

impl Link {
    pub(super) fn new(client: Client) -> Self {
        Self { client, connections: Reconnect::default() }
    }

    async fn connection(&self) -> Result<Arc<MultiplexedConnection>, LogError> {
        self.connections.connection(|_| true, connect(&self.client, Some(ANSWER))).await
    }

    /// Calls a script. A connection that fails is given up.
    async fn call<T: FromRedisValue>(
        &self,
        connection: &Arc<MultiplexedConnection>,
        call: &Call,
    ) -> Result<T, RedisError> {
        let answer = call.send(&mut MultiplexedConnection::clone(connection)).await;
        if answer.as_ref().is_err_and(|error| !is_answer(error)) {
            self.connections.abandon(connection).await;
        }
        answer
    }

    /// Calls a script that reads, or may be called twice.
    pub(super) async fn query<T: FromRedisValue>(&self, call: &Call) -> Result<T, LogError> {
        self.try_query(call).await?.map_err(|error| log_error(&error))
    }

    /// The same, with the error of the server.
    pub(super) async fn try_query<T: FromRedisValue>(
        &self,
        call: &Call,
    ) -> Result<Result<T, RedisError>, LogError> {
        let connection = self.connection().await?;
        Ok(self.call(&connection, call).await)
    }

    /// Calls the script that appends.
    pub(super) async fn append(&self, call: &Call) -> Result<AppendReply, AppendError> {
        let connection = self.connection().await?;
        self.call(&connection, call).await.map_err(|error| {
            if is_answer(&error) { log_error(&error).into() } else { AppendError::Unknown(log_error(&error)) }
        })
    }

    /// Says in the log that a crash of the server would lose appends, if it says so.
    pub(super) async fn warn_if_not_durable(&self) {
        let Ok(connection) = self.connection().await else { return };
        let mut connection = MultiplexedConnection::clone(&connection);
        let info = cmd("INFO").arg("persistence").query_async::<InfoDict>(&mut connection).await;
        if info.ok().and_then(|info| info.get::<u8>("aof_enabled")) == Some(0) {
            tracing::warn!("Redis has `appendonly no`: when it ends, threads lose their last events");
        }
    }
}

/// Connects. Without `answer`, a call may block.
pub(super) async fn connect(
    client: &Client,
    answer: Option<Duration>,
) -> Result<MultiplexedConnection, LogError> {
    let config =
        AsyncConnectionConfig::new().set_connection_timeout(Some(ANSWER)).set_response_timeout(answer);
    let connected = client.get_multiplexed_async_connection_with_config(&config).await;
    connected.map_err(|error| log_error(&error))
}
