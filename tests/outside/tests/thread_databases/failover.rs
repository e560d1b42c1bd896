//! Two servers behind one address: the first is demoted or killed, and the second takes its place.

use std::time::{Duration, Instant};

use agui_runtime::thread::{LogAppend, LogPosition, Postgres, Redis, ThreadKey, ThreadLog};
use agui_tests::need;
use agui_tests::outside::{Missing, OwnServer};

use crate::executor::block_on;
use crate::pooler::{run, url};
use crate::proxy::Proxy;

/// The time in which a balancer must learn that a server cannot write.
pub(crate) const NOTICED: Duration = Duration::from_secs(2);

/// A primary, its replica, and the address of the one that takes writes.
pub(crate) trait Pair: Sized {
    type Log: ThreadLog;

    fn start() -> Result<Self, Missing>;

    fn primary(&self) -> &OwnServer;

    /// Connects an engine to the address.
    async fn connect(&self) -> Self::Log;

    /// Waits until the replica has all records.
    async fn catch_up(&self);

    /// Makes the primary refuse writes.
    async fn demote(&self);

    /// Makes the replica the primary, and points the address to it.
    async fn promote(&self);
}

/// The servers of a pair.
struct Servers {
    first: OwnServer,
    second: OwnServer,
    proxy: Proxy,
}

impl Servers {
    fn new(first: OwnServer, second: OwnServer) -> Self {
        let proxy = Proxy::to(first.port());
        Self { first, second, proxy }
    }
}

pub(crate) struct PostgresPair(Servers);

impl Pair for PostgresPair {
    type Log = Postgres;

    fn start() -> Result<Self, Missing> {
        let first = OwnServer::postgres()?;
        let second = OwnServer::postgres_replica(&first)?;
        Ok(Self(Servers::new(first, second)))
    }

    fn primary(&self) -> &OwnServer {
        &self.0.first
    }

    async fn connect(&self) -> Postgres {
        Postgres::connect(&url(self.0.proxy.port())).await.unwrap()
    }

    async fn catch_up(&self) {
        let first = self.0.first.port();
        let (client, connection) = tokio_postgres::connect(&url(first), tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        let caught_up = "SELECT 1 FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()";
        while client.query(caught_up, &[]).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        connection.abort();
    }

    async fn demote(&self) {
        run(self.0.first.port(), "ALTER SYSTEM SET default_transaction_read_only = on").await;
        run(self.0.first.port(), "SELECT pg_reload_conf()").await;
    }

    async fn promote(&self) {
        run(self.0.second.port(), "SELECT pg_promote()").await;
        self.0.proxy.point_to(self.0.second.port());
    }
}

pub(crate) struct RedisPair(Servers);

impl RedisPair {
    pub(crate) async fn ask<T: redis::FromRedisValue>(port: u16, words: &[&str]) -> redis::RedisResult<T> {
        let client = redis::Client::open(OwnServer::redis_url(port, 0))?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        let mut call = redis::cmd(words[0]);
        call.arg(&words[1..]);
        call.query_async(&mut connection).await
    }
}

impl Pair for RedisPair {
    type Log = Redis;

    fn start() -> Result<Self, Missing> {
        let first = OwnServer::redis()?;
        let second = OwnServer::redis_replica(&first)?;
        Ok(Self(Servers::new(first, second)))
    }

    fn primary(&self) -> &OwnServer {
        &self.0.first
    }

    async fn connect(&self) -> Redis {
        Redis::connect(&OwnServer::redis_url(self.0.proxy.port(), 0)).await.unwrap()
    }

    async fn catch_up(&self) {
        // A replica begins with a copy, for which it waits some seconds.
        let first = self.0.first.port();
        let size = Self::ask::<u64>(first, &["DBSIZE"]).await.unwrap();
        while Self::ask::<u64>(self.0.second.port(), &["DBSIZE"]).await.unwrap_or(0) != size {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        while Self::ask::<u64>(first, &["WAIT", "1", "1000"]).await.unwrap() == 0 {}
    }

    async fn demote(&self) {
        Self::ask::<()>(self.0.second.port(), &["REPLICAOF", "NO", "ONE"]).await.unwrap();
        let primary = self.0.second.port().to_string();
        Self::ask::<()>(self.0.first.port(), &["REPLICAOF", "127.0.0.1", &primary]).await.unwrap();
    }

    async fn promote(&self) {
        Self::ask::<()>(self.0.second.port(), &["REPLICAOF", "NO", "ONE"]).await.unwrap();
        self.0.proxy.point_to(self.0.second.port());
    }
}

fn key() -> ThreadKey {
    ThreadKey::new("ada", "/", "t")
}

fn one(at: LogPosition) -> LogAppend {
    LogAppend { at, epoch: at.epoch.max(1), records: vec!["a".into()], note: None, lease: None }
}

/// Asks until the answer is as wanted, and returns the time that it took.
async fn until(log: &dyn ThreadLog, is_ready: bool) -> Duration {
    let begun = Instant::now();
    while log.probe_write().await.is_ok() != is_ready {
        assert!(begun.elapsed() < Duration::from_secs(20), "{is_ready} after {:?}", begun.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    begun.elapsed()
}

/// Writes what must be there after the failover, and what a server must refuse meanwhile.
fn follows<P: Pair>(pair: &P) {
    block_on(async {
        let log = pair.connect().await;
        let mut at = log.append(&key(), one(LogPosition::default())).await.unwrap();
        until(&log, true).await;
        pair.catch_up().await;
        pair.demote().await;
        let noticed = until(&log, false).await;
        assert!(noticed < NOTICED, "a server without writes was ready for {noticed:?}");
        assert!(log.append(&key(), one(at)).await.is_err());
        pair.promote().await;
        // A little longer than the pause between two attempts.
        tokio::time::sleep(Duration::from_millis(600)).await;
        // The first append, without a look at the store before.
        for _ in 0..5 {
            at = log.append(&key(), one(at)).await.unwrap();
        }
        assert_eq!(log.read(&key(), 0, 999).await.unwrap().records.len(), 6);
    });
}

#[test]
fn the_engine_follows_postgres_to_its_new_primary() {
    follows(&need!(PostgresPair::start()));
}

#[test]
fn the_engine_follows_redis_to_its_new_primary() {
    follows(&need!(RedisPair::start()));
}

/// An address with several hosts leads to the one that takes writes.
#[test]
fn an_address_with_two_hosts_leads_to_the_primary() {
    let PostgresPair(servers) = need!(PostgresPair::start());
    let (first, second) = (servers.first.port(), servers.second.port());
    block_on(async {
        // The replica comes first.
        let address = format!("postgres://postgres@127.0.0.1:{second},127.0.0.1:{first}/postgres");
        let log = Postgres::connect(&address).await.unwrap();
        let at = log.append(&key(), one(LogPosition::default())).await.unwrap();
        PostgresPair(servers).two_hosts_go_on(&log, at).await;
    });
}

impl PostgresPair {
    async fn two_hosts_go_on(self, log: &Postgres, at: LogPosition) {
        self.catch_up().await;
        self.0.first.kill();
        assert!(until(log, false).await < NOTICED);
        run(self.0.second.port(), "SELECT pg_promote()").await;
        until(log, true).await;
        log.append(&key(), one(at)).await.unwrap();
        assert_eq!(log.read(&key(), 0, 999).await.unwrap().records.len(), 2);
    }
}
