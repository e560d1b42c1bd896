//! A database link that reconnects when the connection is lost.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agui_runtime_core::__leaf::SharedConnection;
use agui_runtime_core::thread::{LogError, OpenError};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Row, SimpleQueryMessage, Statement};

use super::failure::{is_wrong_server, log_error, refuses_options};
use super::statements::SqlStatement;
use super::tls;

/// A statement parameter.
pub(super) type SqlParameter<'a> = &'a (dyn ToSql + Sync);

/// The time limit for a connection and for a response.
const ANSWER: Duration = Duration::from_secs(10);

/// Settings for an unshared connection. The server gives up a statement before the caller does, so that no statement happens much
/// later, and a statement that waited for another node's continues with the other's writes. They are connection parameters,
/// because a pooler would pass a `SET` on to other sessions.
const OPTIONS: &str = "-c statement_timeout=8000 -c default_transaction_isolation=read\\ committed";

/// The setting that recognises a connection, and the isolation that every transaction needs.
const MARK: &str = "agui.session";
const ISOLATION: &str = "read committed";

/// The minimum interval between two sessions given up because the server takes no writes.
const WRONG_AGAIN: Duration = Duration::from_millis(250);

/// Parses connection settings.
pub(super) fn config(url: &str) -> Result<Config, OpenError> {
    let mut config: Config = url.parse().map_err(|error| log_error(&error))?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(ANSWER);
    }
    if config.get_application_name().is_none() {
        config.application_name("agui-runtime");
    }
    // One of several servers takes writes.
    if config.get_hosts().len() > 1 && config.get_target_session_attrs() == TargetSessionAttrs::Any {
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    }
    tls::decide(&mut config);
    Ok(config)
}

/// A connection with prepared statements.
pub(super) struct Session {
    client: Client,
    connection: AbortHandle,
    /// True behind a pooler that spreads the connection's transactions over different database sessions: a session must keep no
    /// setting, no prepared statement and no `LISTEN`.
    is_shared: bool,
    /// The value of `left` when the session began.
    begun: u64,
    /// The schema that has the tables; empty before the look-up.
    schema: Arc<str>,
    prepared: Mutex<HashMap<&'static str, Statement>>,
}

impl Session {
    pub(super) async fn open(config: &Config) -> Result<Self, LogError> {
        let mark = format!("{:016x}", agui_runtime_core::__leaf::random_number("session"));
        let mut own = config.clone();
        let user = config.get_options().map(|options| format!("{options} ")).unwrap_or_default();
        own.options(format!("{user}{OPTIONS} -c {MARK}={mark}"));
        let connected = match connect(&own).await? {
            // PgBouncer, unless `ignore_startup_parameters` has `options`.
            Err(error) if refuses_options(&error) => connect(config).await?,
            connected => connected,
        };
        let (client, connection) = connected.map_err(|error| log_error(&error))?;
        let mut session = Self {
            client,
            connection,
            is_shared: true,
            begun: 0,
            schema: Arc::default(),
            prepared: Mutex::default(),
        };
        session.is_shared = !await_response(session.has_settings(&mark)).await??;
        if session.is_shared && config.get_options().is_some() {
            return Err(LogError::new(
                "the pooler before the database drops the `options` of the address: \
                 leave them out, and write `ALTER ROLE … SET …` in their place",
            ));
        }
        Ok(session)
    }

    /// True if the connection still has the settings that it began with: then no pooler between client and database can share the
    /// connection.
    async fn has_settings(&self, mark: &str) -> Result<bool, LogError> {
        let settings = format!(
            "SELECT current_setting('{MARK}', true), current_setting('default_transaction_isolation')"
        );
        let messages = self.client.simple_query(&settings).await.map_err(|error| log_error(&error))?;
        let row = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((row.get(0).unwrap_or_default(), row.get(1).unwrap_or_default()))
            }
            _ => None,
        });
        match row {
            Some((found, ISOLATION)) if found == mark => Ok(true),
            Some((_, ISOLATION)) => Ok(false),
            Some((_, isolation)) => Err(LogError::new(format_args!(
                "transactions begin as `{isolation}`, and the pooler before the database passes no settings on: \
                 write `ALTER ROLE … SET default_transaction_isolation = 'read committed'`"
            ))),
            None => Err(LogError::new("the database does not tell its settings")),
        }
    }

    /// True if other programs may use the same database session.
    pub(super) fn is_shared(&self) -> bool {
        self.is_shared
    }

    pub(super) async fn execute_batch(&self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).await
    }

    /// Sends a query without parameters, and leaves no prepared statement.
    pub(super) async fn query_once(&self, sql: &str) -> Result<Vec<Row>, Error> {
        self.client.query_typed(sql, &[]).await
    }

    /// Sends a statement, which an unshared session prepares once.
    pub(super) async fn query(
        &self,
        sql: &'static SqlStatement,
        parameters: &[SqlParameter<'_>],
    ) -> Result<Vec<Row>, Error> {
        if self.is_shared {
            let typed: Vec<_> = parameters.iter().copied().zip(sql.types.iter().cloned()).collect();
            return self.client.query_typed(&sql.in_schema(&self.schema), &typed).await;
        }
        let statement = self.prepared(sql).await?;
        self.client.query(&statement, parameters).await
    }

    async fn prepared(&self, sql: &'static SqlStatement) -> Result<Statement, Error> {
        let known = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = known().get(sql.text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare_typed(sql.text, sql.types).await?;
        known().insert(sql.text, statement.clone());
        Ok(statement)
    }
}

async fn connect(config: &Config) -> Result<Result<(Client, AbortHandle), Error>, LogError> {
    let connecting = config.connect(tls::connector(config)?);
    let connected = timeout(ANSWER, connecting).await.map_err(|_| silent())?;
    Ok(connected.map(|(client, connection)| {
        let connection = tokio::spawn(async move {
            // The client's requests fail with the same error.
            let _ = connection.await;
        });
        (client, connection.abort_handle())
    }))
}

impl Drop for Session {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// The servers behind one engine's links: if one link finds that the server takes no writes, all links reconnect, including links
/// that read.
#[derive(Debug, Default)]
pub(super) struct PostgresServers {
    /// The number of times that a server was left.
    left: AtomicU64,
    last: Mutex<Option<Instant>>,
}

/// A session that reconnects when lost.
pub(super) struct PostgresLink {
    config: Config,
    schema: Arc<str>,
    sessions: SharedConnection<Session>,
    servers: Arc<PostgresServers>,
}

impl PostgresLink {
    pub(super) fn new(config: Config, schema: Arc<str>, servers: Arc<PostgresServers>) -> Self {
        Self { config, schema, sessions: SharedConnection::default(), servers }
    }

    /// Returns a separate link to the same servers.
    pub(super) fn another(&self) -> Self {
        Self::new(self.config.clone(), Arc::clone(&self.schema), Arc::clone(&self.servers))
    }

    pub(super) async fn session(&self) -> Result<Arc<Session>, LogError> {
        let begun = self.servers.left.load(Ordering::Acquire);
        let connect = async {
            let mut session = Session::open(&self.config).await?;
            session.begun = begun;
            session.schema = Arc::clone(&self.schema);
            Ok(session)
        };
        let is_alive = |session: &Session| !session.client.is_closed() && session.begun >= begun;
        self.sessions.connection(is_alive, connect).await
    }

    /// Gives up a session that does not respond.
    pub(super) async fn abandon(&self, session: &Arc<Session>) {
        self.sessions.abandon(session).await;
    }

    /// Gives up a session whose server takes no writes, and returns true: another server behind the same address may take writes
    /// by now.
    pub(super) fn leave_if_wrong(&self, session: &Arc<Session>, error: &Error) -> bool {
        if !is_wrong_server(error) {
            return false;
        }
        let now = Instant::now();
        let mut last = self.servers.last.lock().unwrap_or_else(PoisonError::into_inner);
        if session.begun < self.servers.left.load(Ordering::Acquire) {
            // Another link has left it meanwhile.
            return true;
        }
        if last.is_some_and(|last| now.duration_since(last) < WRONG_AGAIN) {
            return false;
        }
        *last = Some(now);
        self.servers.left.fetch_add(1, Ordering::AcqRel);
        tracing::warn!(error = %log_error(error), "the database takes no writes: connecting again");
        true
    }

    /// Runs a read, or a write that may happen twice.
    pub(super) async fn query(
        &self,
        sql: &'static SqlStatement,
        parameters: &[SqlParameter<'_>],
    ) -> Result<Vec<Row>, LogError> {
        match self.attempt(sql, parameters).await {
            // On the server that takes writes now.
            Err(failed) if failed.is_wrong => self.attempt(sql, parameters).await,
            done => done,
        }
        .map_err(|failed| failed.error)
    }

    async fn attempt(
        &self,
        sql: &'static SqlStatement,
        parameters: &[SqlParameter<'_>],
    ) -> Result<Vec<Row>, StatementFailure> {
        let session = self.session().await?;
        match timeout(ANSWER, session.query(sql, parameters)).await {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) => {
                let is_wrong = self.leave_if_wrong(&session, &error);
                Err(StatementFailure { error: log_error(&error), is_wrong })
            }
            Err(_) => {
                self.abandon(&session).await;
                Err(silent().into())
            }
        }
    }
}

/// A failed statement.
struct StatementFailure {
    error: LogError,
    /// True if the server takes no writes, and was left.
    is_wrong: bool,
}

impl From<LogError> for StatementFailure {
    fn from(error: LogError) -> Self {
        Self { error, is_wrong: false }
    }
}

pub(super) fn silent() -> LogError {
    LogError::new(format_args!("the database does not answer within {} s", ANSWER.as_secs()))
}

/// Waits for a response within the time limit.
pub(super) async fn await_response<T>(work: impl Future<Output = T>) -> Result<T, LogError> {
    timeout(ANSWER, work).await.map_err(|_| silent())
}
