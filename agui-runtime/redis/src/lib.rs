//! The Redis Streams engine: threads for many machines, with a short latency.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod failure;
mod keys;
mod link;
mod notices;
mod replies;
mod scripts;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use ::redis::Client;
use agui_runtime_core::__leaf::ThreadWakes;
use agui_runtime_core::thread::{
    AppendError, LogAppend, LogError, LogHead, LogPage, LogPosition, LogReadError, OpenError, ThreadEntry,
    ThreadKey, ThreadLog,
};
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use self::failure::log_error;
use self::keys::{IDLE, LEASED, NOTICES, RedisKeys, THREAD};
use self::link::RedisLink;
use self::notices::RedisNotices;
use self::replies::{AppendReply, HeadReply, PageReply};
use self::scripts::ScriptCall;

/// The version of the keys and their content.
const VERSION: u64 = 1;

/// The maximum append size in bytes: Redis closes a connection that sends a gibibyte at once.
const MAX_APPEND: usize = 512 * 1024 * 1024;

/// Lua's largest whole number, which no log reaches.
const MOST: u64 = (1 << 53) - 1;

/// Threads in Redis 6.2 or newer, for servers on many machines. Needs tokio.
///
/// Each append is one script call. One stream wakes readers on all machines; each server reads the stream with one blocking
/// connection. Leases follow Redis's clock. A lost connection reconnects.
///
/// **An append is as durable as Redis makes it.** With `appendonly yes` and `appendfsync always`, an append is on the disk before
/// the acknowledgement; with other settings a crash loses the last appends. A failover to a replica may lose acknowledged appends,
/// because replicas lag behind. Where no event may be lost, use `Postgres`.
///
/// All keys begin with `{agui-threads}:`, so they share one cluster slot, and this client connects to one node. Redis must not
/// evict keys: `maxmemory-policy noeviction`.
///
/// ```no_run
/// # async fn connect() -> Result<(), agui_runtime::thread::OpenError> {
/// use agui_runtime::thread::Redis;
///
/// let threads = Redis::connect("redis://localhost/0").await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Redis(Arc<RedisShared>);

struct RedisShared {
    link: RedisLink,
    wakes: Arc<ThreadWakes<Vec<u8>>>,
    // Stops when it is dropped.
    _notices: RedisNotices,
}

impl Redis {
    /// Connects [`Redis`] by URL, which may name a user, a password and a database number.
    ///
    /// A `rediss:` URL uses TLS, which needs the feature `redis-tls`. The system, or the file that the variable `SSL_CERT_FILE`
    /// names, must trust the server's certificate.
    ///
    /// # Errors
    /// [`OpenError`]: the server does not respond or refuses the user, or the keys belong to another program or a newer version.
    pub async fn connect(url: &str) -> Result<Self, OpenError> {
        #[cfg(feature = "tls")]
        if url.starts_with("rediss:") {
            tls::choose_cryptography();
        }
        let client = Client::open(url).map_err(|error| log_error(&error))?;
        let link = RedisLink::new(client.clone());
        open(&link).await?;
        let wakes = Arc::new(ThreadWakes::default());
        let notices = RedisNotices::start(client, Arc::clone(&wakes));
        Ok(Self(Arc::new(RedisShared { link, wakes, _notices: notices })))
    }

    async fn append_to(&self, key: &ThreadKey, append: &LogAppend) -> Result<LogPosition, AppendError> {
        append.check_size(MAX_APPEND)?;
        let LogAppend { at, epoch, records, note, lease } = append;
        let end = LogPosition { epoch: *epoch, seq: at.seq.wrapping_add(records.len() as u64) };
        let keys = RedisKeys::from_key(key);
        let mut call =
            scripts::APPEND.call([&keys.thread[..], &keys.records, &keys.list, LEASED, IDLE, NOTICES]);
        call.numbers([at.epoch, at.seq, end.epoch, end.seq, note.is_some().into()]);
        call.bytes(note.as_deref().unwrap_or_default());
        match lease {
            Some(time) => call.numbers([millis(*time)]),
            None => call.bytes(b""),
        };
        call.bytes(key.owner().as_bytes()).bytes(key.agent().as_bytes());
        call.bytes(key.thread().as_bytes()).bytes(&keys.name);
        for record in records {
            call.bytes(record);
        }
        match self.0.link.append(&call).await? {
            AppendReply::Done if records.is_empty() && at.seq == 0 => Ok(*at),
            AppendReply::Done => Ok(end),
            AppendReply::Elsewhere(at) => Err(AppendError::Conflict { at }),
        }
    }

    async fn read_page(&self, key: &ThreadKey, after: u64, bytes: usize) -> Result<LogPage, LogReadError> {
        let keys = RedisKeys::from_key(key);
        let mut call = scripts::READ.call([&keys.thread[..], &keys.records]);
        call.numbers([after.min(MOST), (bytes as u64).min(MOST)]);
        match self.query(&call).await? {
            PageReply::NoThread => Ok(LogPage::default()),
            PageReply::Trimmed { first } => Err(LogReadError::Trimmed { first }),
            PageReply::Records(page) => Ok(page),
        }
    }

    async fn head_of(&self, key: &ThreadKey) -> Result<LogHead, LogError> {
        let call = scripts::HEAD.call([&RedisKeys::from_key(key).thread[..]]);
        let head: HeadReply = self.query(&call).await?;
        Ok(head.0)
    }

    async fn wait(&self, key: &ThreadKey, after: u64) {
        let woken = self.0.wakes.register(&RedisKeys::from_key(key).name);
        // If the log cannot be read, the caller's next read says so.
        if self.head_of(key).await.is_ok_and(|head| head.at.seq == after) {
            woken.await;
        }
    }

    async fn list_after(
        &self,
        owner: &str,
        agent: &str,
        after: Option<&ThreadEntry>,
        most: usize,
    ) -> Result<Vec<ThreadEntry>, LogError> {
        let keys = RedisKeys::from_key(&ThreadKey::new(owner, agent, ""));
        let mut call = scripts::LIST.call([&keys.list[..]]);
        call.bytes(&keys.thread).numbers([(most as u64).min(MOST)]);
        match after {
            Some(after) => {
                let changed = millis(after.changed.duration_since(UNIX_EPOCH).unwrap_or_default());
                call.bytes(format!("-{changed}").as_bytes()).bytes(after.thread.as_bytes())
            }
            None => call.bytes(b"").bytes(b""),
        };
        let listed: Vec<Vec<u8>> = self.query(&call).await?;
        listed.chunks(3).map(thread_entry).collect()
    }

    async fn due(&self, key: &[u8], time: Duration, most: usize) -> Result<Vec<ThreadKey>, LogError> {
        let mut call = scripts::DUE.call([key]);
        call.bytes(THREAD).numbers([millis(time), (most as u64).min(MOST)]);
        let parts: Vec<Vec<u8>> = self.query(&call).await?;
        let keys = parts.chunks(3).map(|parts| {
            let [owner, agent, thread] = parts else { return Err(unexpected()) };
            Ok(ThreadKey::new(text(owner)?, text(agent)?, text(thread)?))
        });
        keys.collect()
    }

    async fn query<T: ::redis::FromRedisValue>(&self, call: &ScriptCall) -> Result<T, LogError> {
        self.0.link.query(call).await
    }
}

/// Checks the key version, and the settings that decide durability.
async fn open(link: &RedisLink) -> Result<(), OpenError> {
    let mut call = scripts::OPEN.call([keys::SCHEMA]);
    call.numbers([VERSION]);
    let foreign = || OpenError::Foreign { what: "the key {agui-threads}:schema".to_owned() };
    let version: String = match link.try_query(&call).await? {
        Ok(version) => version,
        // A key of another kind.
        Err(error) if error.code() == Some("WRONGTYPE") => return Err(foreign()),
        Err(error) => return Err(log_error(&error).into()),
    };
    match version.parse() {
        // There is no older version yet.
        Ok(VERSION) => {}
        Ok(found) if found > VERSION => return Err(OpenError::Newer { found, known: VERSION }),
        _ => return Err(foreign()),
    }
    link.warn_if_not_durable().await;
    Ok(())
}

/// Reads an entry of `list.lua` and `entry.lua`.
fn thread_entry(entry: &[Vec<u8>]) -> Result<ThreadEntry, LogError> {
    let [id, changed, note] = entry else { return Err(unexpected()) };
    let changed = text(changed)?.parse().map_err(LogError::new)?;
    let changed = UNIX_EPOCH + Duration::from_millis(changed);
    Ok(ThreadEntry::new(text(id)?, changed, note.clone().into()))
}

fn text(bytes: &[u8]) -> Result<String, LogError> {
    String::from_utf8(bytes.to_vec()).map_err(LogError::new)
}

fn unexpected() -> LogError {
    LogError::new("keys of Redis that agui-runtime has not written")
}

/// Returns milliseconds that, added to a date, are a whole number in Lua.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(MOST).min(MOST / 4)
}

impl ThreadLog for Redis {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>> {
        async move { self.append_to(key, &append).await }.boxed()
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
            let keys = RedisKeys::from_key(key);
            let mut call = scripts::RENEW.call([&keys.thread[..], LEASED]);
            call.numbers([epoch, millis(time)]).bytes(&keys.name);
            self.query(&call).await
        }
        .boxed()
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.due(LEASED, Duration::ZERO, most).boxed()
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            let keys = RedisKeys::from_key(key);
            let mut call = scripts::TRIM.call([&keys.thread[..], &keys.records]);
            call.numbers([upto.epoch, upto.seq.min(MOST)]);
            call.bytes(&snapshot);
            self.query::<u64>(&call).await.map(drop)
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
            let call = scripts::ENTRY.call([&RedisKeys::from_key(key).thread[..]]);
            let found: Vec<Vec<u8>> = self.query(&call).await?;
            found.chunks(3).next().map(thread_entry).transpose()
        }
        .boxed()
    }

    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        async move {
            let keys = RedisKeys::from_key(key);
            let mut call =
                scripts::DELETE.call([&keys.thread[..], &keys.records, &keys.list, LEASED, IDLE, NOTICES]);
            call.bytes(key.thread().as_bytes()).bytes(&keys.name);
            if let Some(at) = at {
                call.numbers([at.epoch, at.seq]);
            }
            self.query(&call).await
        }
        .boxed()
    }

    fn probe_write(&self) -> BoxFuture<'_, Result<(), LogError>> {
        async move { self.query::<u64>(&scripts::PROBE.call([keys::PROBE])).await.map(drop) }.boxed()
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.due(IDLE, time, most).boxed()
    }
}

impl fmt::Debug for Redis {
    // Without the URL, which may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").finish_non_exhaustive()
    }
}
