//! Two servers behind one address: the first is demoted, and the second takes its place.

use std::time::{Duration, Instant};

use agui_runtime::thread::{Append, Position, Postgres, Redis, ThreadKey, ThreadLog};
use agui_tests::need;
use agui_tests::outside::OwnServer;

use crate::executor::block_on;
use crate::pooler::{run, url};
use crate::proxy::Proxy;

/// The time in which a balancer must learn that a server cannot write.
const NOTICED: Duration = Duration::from_secs(2);

fn key() -> ThreadKey {
    ThreadKey::new("ada", "/", "t")
}

fn one(at: Position) -> Append {
    Append { at, epoch: at.epoch.max(1), records: vec!["a".into()], note: None, lease: None }
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
async fn fails_over(log: &dyn ThreadLog, demote: impl AsyncFn(), promote: impl AsyncFn()) {
    let mut at = log.append(&key(), one(Position::default())).await.unwrap();
    until(log, true).await;
    demote().await;
    let noticed = until(log, false).await;
    assert!(noticed < NOTICED, "a server without writes was ready for {noticed:?}");
    assert!(log.append(&key(), one(at)).await.is_err());
    promote().await;
    // A little longer than the pause between two attempts.
    tokio::time::sleep(Duration::from_millis(600)).await;
    // The first append, without a look at the store before.
    for _ in 0..5 {
        at = log.append(&key(), one(at)).await.unwrap();
    }
    assert_eq!(log.read(&key(), 0, 999).await.unwrap().records.len(), 6);
}

#[test]
fn the_engine_follows_postgres_to_its_new_primary() {
    let first = need!(OwnServer::postgres());
    let second = need!(OwnServer::postgres_replica(&first));
    let proxy = Proxy::to(first.port());
    block_on(async {
        let log = Postgres::connect(&url(proxy.port())).await.unwrap();
        let demote = async || {
            // The replica gets the acknowledged records meanwhile.
            tokio::time::sleep(Duration::from_millis(500)).await;
            run(first.port(), "ALTER SYSTEM SET default_transaction_read_only = on").await;
            run(first.port(), "SELECT pg_reload_conf()").await;
        };
        let promote = async || {
            run(second.port(), "SELECT pg_promote()").await;
            proxy.point_to(second.port());
        };
        fails_over(&log, demote, promote).await;
    });
}

async fn ask<T: redis::FromRedisValue>(port: u16, words: &[&str]) -> redis::RedisResult<T> {
    let client = redis::Client::open(OwnServer::redis_url(port, 0))?;
    let mut connection = client.get_multiplexed_async_connection().await?;
    let mut call = redis::cmd(words[0]);
    call.arg(&words[1..]);
    call.query_async(&mut connection).await
}

#[test]
fn the_engine_follows_redis_to_its_new_primary() {
    let first = need!(OwnServer::redis());
    let second = need!(OwnServer::redis_replica(&first));
    let proxy = Proxy::to(first.port());
    block_on(async {
        let log = Redis::connect(&OwnServer::redis_url(proxy.port(), 0)).await.unwrap();
        let demote = async || {
            // A replica begins with a copy, for which it waits some seconds.
            while ask::<u64>(second.port(), &["DBSIZE"]).await.unwrap_or(0) == 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            ask::<()>(second.port(), &["REPLICAOF", "NO", "ONE"]).await.unwrap();
            let primary = second.port().to_string();
            ask::<()>(first.port(), &["REPLICAOF", "127.0.0.1", &primary]).await.unwrap();
        };
        let promote = async || proxy.point_to(second.port());
        fails_over(&log, demote, promote).await;
    });
}
