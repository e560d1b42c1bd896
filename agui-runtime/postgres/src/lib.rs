//! The Postgres engine: threads for many machines.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod failure;
mod flush;
mod link;
mod notices;
mod page;
mod schema;
mod statements;
mod tls;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use agui_runtime_core::__leaf::{ThreadDigest, ThreadWakes, list_digest, thread_digest};
use agui_runtime_core::thread::{
    AppendError, LogAppend, LogError, LogHead, LogPage, LogPosition, LogReadError, OpenError, ThreadEntry,
    ThreadKey, ThreadLog,
};
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio_postgres::Row;

use self::failure::log_error;
use self::flush::{AppendFlusher, PendingAppend};
use self::link::{PostgresLink, PostgresServers, SqlParameter};
use self::notices::PostgresNotices;
use self::statements::SqlStatement;

/// The maximum append size in bytes: a Postgres message has at most a gibibyte.
const MAX_APPEND: usize = 512 * 1024 * 1024;

/// Threads in a Postgres database, for servers on many machines. Needs Postgres 12 or newer, and tokio.
///
/// A server's waiting appends go in one statement, each under a separate condition. `NOTIFY` wakes readers on other machines, and
/// so does a look at the database each second. Leases follow the database's clock. A lost connection reconnects, and so does a
/// connection to a server that takes no writes any more. The address may have several hosts: the engine uses the host that takes
/// writes.
///
/// **Behind a pooler** in transaction mode, the engine leaves nothing in a session that others use: no setting, no prepared
/// statement, no `LISTEN`, so that readers on other machines wake within a second. The engine logs a warning at the start.
/// Statements then have their role's time limit: `ALTER ROLE … SET statement_timeout = '8s'`.
///
/// ```no_run
/// # async fn connect() -> Result<(), agui_runtime::thread::OpenError> {
/// use agui_runtime::thread::Postgres;
///
/// let threads = Postgres::connect("postgres://agui:secret@localhost/agui").await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Postgres(Arc<PostgresShared>);

struct PostgresShared {
    link: Arc<PostgresLink>,
    flusher: AppendFlusher,
    wakes: Arc<ThreadWakes<ThreadDigest>>,
    // Stops when it is dropped.
    notices: PostgresNotices,
}

impl Postgres {
    /// Connects [`Postgres`] by a URL, or by a settings string such as `host=/run/postgresql dbname=agui`. Creates the tables
    /// `agui_threads`, `agui_records` and `agui_schema` if they do not exist, in the search path's first schema, and migrates
    /// tables from an earlier version of agui-runtime.
    ///
    /// The connection is plain, unless the settings have `sslmode=require`, which needs the feature `postgres-tls`. The system, or
    /// the file that the variable `SSL_CERT_FILE` names, must then trust the server's certificate.
    ///
    /// # Errors
    /// [`OpenError`]: the server does not respond or refuses the user, or the tables belong to another program or a newer version.
    pub async fn connect(url: &str) -> Result<Self, OpenError> {
        let config = link::config(url)?;
        let schema = schema::migrate(&config).await?;
        let link =
            Arc::new(PostgresLink::new(config.clone(), schema.into(), Arc::new(PostgresServers::default())));
        if link.session().await?.is_shared() {
            tracing::warn!("a pooler is before the database: readers on other machines wait up to a second");
        }
        let wakes = Arc::new(ThreadWakes::default());
        let notices = PostgresNotices::start(config, Arc::clone(&link), Arc::clone(&wakes));
        let flusher = AppendFlusher::start(link.another(), Arc::clone(&wakes), notices.sender());
        Ok(Self(Arc::new(PostgresShared { link, flusher, wakes, notices })))
    }

    async fn query(
        &self,
        sql: &'static SqlStatement,
        parameters: &[SqlParameter<'_>],
    ) -> Result<Vec<Row>, LogError> {
        self.0.link.query(sql, parameters).await
    }

    async fn append_to(&self, key: &ThreadKey, append: LogAppend) -> Result<LogPosition, AppendError> {
        append.check_size(MAX_APPEND)?;
        if append.at == LogPosition::default() && append.records.is_empty() {
            // Nothing is written, so nothing is flushed.
            let at = self.head_of(key).await?.at;
            return if at == append.at { Ok(at) } else { Err(AppendError::Conflict { at }) };
        }
        self.0.flusher.append(PendingAppend::new(key, append)).await
    }

    async fn read_page(&self, key: &ThreadKey, after: u64, bytes: usize) -> Result<LogPage, LogReadError> {
        page::read(&self.0.link, &thread_digest(key), after, bytes).await
    }

    async fn head_of(&self, key: &ThreadKey) -> Result<LogHead, LogError> {
        let rows = self.query(&statements::HEAD, &[&&thread_digest(key)[..]]).await?;
        let Some(row) = rows.first() else { return Ok(LogHead::default()) };
        let note: Vec<u8> = get(row, 3)?;
        let at = LogPosition { epoch: unsigned(row, 0)?, seq: unsigned(row, 1)? };
        let lease = get::<Option<i64>>(row, 4)?;
        let left = |left: i64| Duration::from_millis(left.try_into().unwrap_or(0));
        Ok(LogHead::new(at, unsigned(row, 2)?, note.into(), lease.map(left)))
    }

    async fn wait(&self, key: &ThreadKey, after: u64) {
        let woken = self.0.wakes.register(&thread_digest(key));
        // If the log cannot be read, the caller's next read says so.
        if self.head_of(key).await.is_ok_and(|head| head.at.seq == after) {
            woken.await;
        }
    }

    async fn keys(
        &self,
        sql: &'static SqlStatement,
        parameters: &[SqlParameter<'_>],
    ) -> Result<Vec<ThreadKey>, LogError> {
        let rows = self.query(sql, parameters).await?;
        rows.iter().map(|row| Ok(ThreadKey::new(text(row, 0)?, text(row, 1)?, text(row, 2)?))).collect()
    }

    async fn list_after(
        &self,
        owner: &str,
        agent: &str,
        after: Option<&ThreadEntry>,
        most: usize,
    ) -> Result<Vec<ThreadEntry>, LogError> {
        let (changed, thread) = after.map_or((i64::MAX, &b""[..]), |after| {
            (millis(after.changed.duration_since(UNIX_EPOCH).unwrap_or_default()), after.thread.as_bytes())
        });
        let list = list_digest(owner, agent);
        let rows = self.query(&statements::LIST, &[&&list[..], &changed, &thread, &limit(most)]).await?;
        rows.iter().map(thread_entry).collect()
    }
}

fn thread_entry(row: &Row) -> Result<ThreadEntry, LogError> {
    let changed = UNIX_EPOCH + Duration::from_millis(unsigned(row, 1)?);
    Ok(ThreadEntry::new(text(row, 0)?, changed, get::<Vec<u8>>(row, 2)?.into()))
}

/// Returns a column that this engine has written.
fn get<'r, T: tokio_postgres::types::FromSql<'r>>(row: &'r Row, column: usize) -> Result<T, LogError> {
    row.try_get(column).map_err(|error| log_error(&error))
}

// Numbers of records never reach half of the range; epochs are only compared for equality.
fn unsigned(row: &Row, column: usize) -> Result<u64, LogError> {
    get::<i64>(row, column).map(i64::cast_unsigned)
}

// Texts of Postgres have no NUL, so ids are bytes.
fn text(row: &Row, column: usize) -> Result<String, LogError> {
    String::from_utf8(get(row, column)?).map_err(LogError::new)
}

/// Returns milliseconds; two such values and a date together fit into a column.
fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).min(i64::MAX / 4)
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

impl ThreadLog for Postgres {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>> {
        self.append_to(key, append).boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<LogPage, LogReadError>> {
        self.read_page(key, after, bytes).boxed()
    }

    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<LogHead, LogError>> {
        self.head_of(key).boxed()
    }

    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()> {
        self.wait(key, after).boxed()
    }

    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        async move {
            let (key, epoch) = (thread_digest(key), epoch.cast_signed());
            let renewed = self.query(&statements::RENEW, &[&&key[..], &epoch, &millis(time)]).await?;
            Ok(!renewed.is_empty())
        }
        .boxed()
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        async move { self.keys(&statements::EXPIRED, &[&limit(most)]).await }.boxed()
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            let Ok(seq) = i64::try_from(upto.seq) else { return Ok(()) };
            let (key, epoch) = (thread_digest(key), upto.epoch.cast_signed());
            self.query(&statements::TRIM, &[&&key[..], &epoch, &seq, &&snapshot[..]]).await?;
            Ok(())
        }
        .boxed()
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        agent: &'a str,
        after: Option<&'a ThreadEntry>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<ThreadEntry>, LogError>> {
        self.list_after(owner, agent, after, most).boxed()
    }

    fn entry<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadEntry>, LogError>> {
        async move {
            let rows = self.query(&statements::ENTRY, &[&&thread_digest(key)[..]]).await?;
            rows.first().map(thread_entry).transpose()
        }
        .boxed()
    }

    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        async move {
            let digest = thread_digest(key);
            let epoch = at.map(|at| at.epoch.cast_signed());
            let seq = at.map(|at| at.seq.cast_signed());
            let deleted = self.query(&statements::DELETE, &[&&digest[..], &epoch, &seq]).await?;
            let Some(row) = deleted.first() else { return Ok(false) };
            // Records of an append that the statement waited for are only seen by the next one.
            self.query(&statements::DELETE_REST, &[&get::<i64>(row, 0)?]).await?;
            self.0.wakes.wake(&digest);
            self.0.notices.sender().send(vec![digest]);
            Ok(true)
        }
        .boxed()
    }

    fn probe_write(&self) -> BoxFuture<'_, Result<(), LogError>> {
        async move { self.query(&statements::PROBE, &[]).await.map(drop) }.boxed()
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        async move { self.keys(&statements::IDLE, &[&millis(time), &limit(most)]).await }.boxed()
    }
}

impl fmt::Debug for Postgres {
    // Without the settings, which have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}
