//! A server link that reconnects when the connection is lost. Calls share the connection, and do not wait for each other.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agui_runtime_core::__leaf::{SharedConnection, quoted};
use agui_runtime_core::thread::{AppendError, LogError};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, FromRedisValue, InfoDict, RedisError, cmd};

use super::failure::{is_error_response, is_wrong_server, log_error};
use super::replies::AppendReply;
use super::scripts::ScriptCall;

/// The time limit for a connection and for a response.
const ANSWER: Duration = Duration::from_secs(10);

/// The minimum interval between two connections given up because the server takes no writes.
const WRONG_AGAIN: Duration = Duration::from_millis(250);

pub(super) struct RedisLink {
    client: Client,
    connections: SharedConnection<MultiplexedConnection>,
    /// When a connection was last given up because the server takes no writes.
    wrong: Mutex<Option<Instant>>,
}

impl RedisLink {
    pub(super) fn new(client: Client) -> Self {
        Self { client, connections: SharedConnection::default(), wrong: Mutex::default() }
    }

    async fn connection(&self) -> Result<Arc<MultiplexedConnection>, LogError> {
        self.connections.connection(|_| true, connect(&self.client, Some(ANSWER))).await
    }

    /// Calls a script. A failed connection is given up; a call that changed nothing, because the server takes no writes, is sent
    /// once more, to the server that is there now.
    async fn call<T: FromRedisValue>(&self, call: &ScriptCall) -> Result<Result<T, RedisError>, LogError> {
        let connection = self.connection().await?;
        let answer = call.send(&mut MultiplexedConnection::clone(&connection)).await;
        match &answer {
            Err(error) if !is_error_response(error) => self.connections.abandon(&connection).await,
            Err(error) if self.is_wrong(error) => {
                self.connections.abandon(&connection).await;
                let connection = self.connection().await?;
                return Ok(call.send(&mut MultiplexedConnection::clone(&connection)).await);
            }
            _ => {}
        }
        Ok(answer)
    }

    /// True if the server takes no writes, and no connection was given up for that reason a moment ago: another server behind the
    /// same address may take writes by now.
    fn is_wrong(&self, error: &RedisError) -> bool {
        if !is_wrong_server(error) {
            return false;
        }
        let now = Instant::now();
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.is_some_and(|last| now.duration_since(last) < WRONG_AGAIN) {
            return false;
        }
        *wrong = Some(now);
        tracing::warn!(error = %log_error(error), "Redis takes no writes: connecting again");
        true
    }

    /// Calls a script that reads, or may run twice.
    pub(super) async fn query<T: FromRedisValue>(&self, call: &ScriptCall) -> Result<T, LogError> {
        self.try_query(call).await?.map_err(|error| log_error(&error))
    }

    /// Like [`Self::query`], but returns the server's error.
    pub(super) async fn try_query<T: FromRedisValue>(
        &self,
        call: &ScriptCall,
    ) -> Result<Result<T, RedisError>, LogError> {
        self.call(call).await
    }

    /// Calls the append script.
    pub(super) async fn append(&self, call: &ScriptCall) -> Result<AppendReply, AppendError> {
        self.call(call).await?.map_err(|error| {
            if is_error_response(&error) {
                log_error(&error).into()
            } else {
                AppendError::Unknown(log_error(&error))
            }
        })
    }

    /// Logs a warning if the server's settings would lose appends in a crash, or whole threads when memory is full.
    pub(super) async fn warn_if_not_durable(&self) {
        let Ok(connection) = self.connection().await else { return };
        let mut connection = MultiplexedConnection::clone(&connection);
        let info = cmd("INFO").arg("persistence").query_async::<InfoDict>(&mut connection).await;
        if info.ok().and_then(|info| info.get::<u8>("aof_enabled")) == Some(0) {
            tracing::warn!("Redis has `appendonly no`: when it ends, threads lose their last events");
        }
        let info = cmd("INFO").arg("memory").query_async::<InfoDict>(&mut connection).await;
        let policy = info.ok().and_then(|info| info.get::<String>("maxmemory_policy"));
        // The keys of threads have no time to live, so that the `volatile` policies leave them.
        if let Some(policy) = policy.filter(|policy| policy.starts_with("allkeys")) {
            let policy = quoted(&policy).to_string();
            tracing::warn!(
                policy,
                "Redis removes threads when its memory is full: set `maxmemory-policy noeviction`"
            );
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
