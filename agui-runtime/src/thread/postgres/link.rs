//! A connection to the database that is made again when it is lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Row, Statement};

use super::failure::log_error;
use super::tls;
use crate::thread::log_error::LogError;
use crate::thread::open_error::OpenError;
use crate::thread::reconnect::Reconnect;

/// A value of a statement.
pub(super) type Parameter<'a> = &'a (dyn ToSql + Sync);

/// The time for a connection, and for an answer.
const ANSWER: Duration = Duration::from_secs(10);

/// The server gives up a statement before its caller does, so that none happens much later. A statement that waited for
/// another node's goes on with what that has written.
const SESSION: &str = "
    SET statement_timeout = 8000;
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// Reads the settings of a connection.
pub(super) fn config(url: &str) -> Result<Config, OpenError> {
    let mut config: Config = url.parse().map_err(|error| log_error(&error))?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(ANSWER);
    }
    if config.get_application_name().is_none() {
        config.application_name("agui-runtime");
    }
    tls::decide(&mut config);
    Ok(config)
}

/// Notices are hints, so the disk need not be synced for them, which a transaction with a notice does as any other.
const NOTICES: &str = "SET synchronous_commit = off";

/// A connection with the statements that it knows.
pub(super) struct Session {
    client: Client,
    connection: AbortHandle,
    prepared: Mutex<HashMap<&'static str, Statement>>,
}

impl Session {
    pub(super) async fn open(config: &Config) -> Result<Self, LogError> {
        let connecting = config.connect(tls::connector(config)?);
        let connected = timeout(ANSWER, connecting).await.map_err(|_| silent())?;
        let (client, connection) = connected.map_err(|error| log_error(&error))?;
        let connection = tokio::spawn(async move {
            // The client's requests fail with the same error.
            let _ = connection.await;
        })
        .abort_handle();
        Ok(Self { client, connection, prepared: Mutex::default() })
    }

    pub(super) async fn execute_batch(&self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).await
    }

    pub(super) async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Error> {
        self.client.query(sql, parameters).await
    }

    pub(super) async fn query_prepared(
        &self,
        statement: &Statement,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Error> {
        self.client.query(statement, parameters).await
    }

    pub(super) async fn prepared(&self, sql: &'static str) -> Result<Statement, Error> {
        let known = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = known().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        known().insert(sql, statement.clone());
        Ok(statement)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// A session that is made again when it is lost.
pub(super) struct Link {
    config: Config,
    /// The statements with which a session begins.
    begin: &'static str,
    sessions: Reconnect<Session>,
}

impl Link {
    pub(super) fn new(config: Config) -> Self {
        Self { config, begin: SESSION, sessions: Reconnect::default() }
    }

    /// A link for notices, and nothing else.
    pub(super) fn of_notices(config: Config) -> Self {
        Self { begin: NOTICES, ..Self::new(config) }
    }

    pub(super) async fn session(&self) -> Result<Arc<Session>, LogError> {
        self.sessions.connection(|session| !session.client.is_closed(), self.connect()).await
    }

    async fn connect(&self) -> Result<Session, LogError> {
        let session = Session::open(&self.config).await?;
        let begun = timeout(ANSWER, session.execute_batch(self.begin)).await.map_err(|_| silent())?;
        begun.map_err(|error| log_error(&error))?;
        Ok(session)
    }

    /// Gives up a session that does not answer.
    pub(super) async fn abandon(&self, session: &Arc<Session>) {
        self.sessions.abandon(session).await;
    }

    /// Reads, or writes what may be written twice.
    pub(super) async fn query(
        &self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, LogError> {
        let session = self.session().await?;
        let answer = timeout(ANSWER, async {
            let statement = session.prepared(sql).await?;
            session.query_prepared(&statement, parameters).await
        });
        match answer.await {
            Ok(rows) => rows.map_err(|error| log_error(&error)),
            Err(_) => {
                self.abandon(&session).await;
                Err(silent())
            }
        }
    }
}

pub(super) fn silent() -> LogError {
    LogError::new(format_args!("the database does not answer within {} s", ANSWER.as_secs()))
}

/// Waits for an answer as long as for any other.
pub(super) async fn answer<T>(work: impl Future<Output = T>) -> Result<T, LogError> {
    timeout(ANSWER, work).await.map_err(|_| silent())
}
