//! Databases that answer and take no writes any more, as the balancer and the clients of a server see it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{Postgres, Redis, ThreadLog};
use agui_tests::http::{Request, Whole};
use agui_tests::need;
use agui_tests::outside::{Missing, OwnServer};
use agui_tests::stored::scribe::Steady;
use agui_tests::stored::{ENDS, GOES_ON, Ledger, Scribe, Served, ask};
use tokio::time::{sleep, timeout};

use crate::balanced::{last, until};
use crate::executor::block_on;
use crate::failover::{NOTICED, RedisPair};
use crate::pooler::{run, url};

const LEASE: Duration = Duration::from_secs(1);

/// Waits for longer than the test, or for longer than the store needs to refuse writes.
const SILENT: &str = "t3 w600000 t3";
const TALKS: &str = "t3 w1000 t3";

/// A database that a test makes refuse writes, and take them again.
trait Database: Sized {
    type Log: ThreadLog;

    fn start() -> Result<OwnServer, Missing>;
    async fn connect(port: u16) -> Self::Log;
    async fn refuse(&self, port: u16);
    async fn repair(&self, port: u16);
}

struct ReadOnlyPostgres;

impl Database for ReadOnlyPostgres {
    type Log = Postgres;

    fn start() -> Result<OwnServer, Missing> {
        OwnServer::postgres()
    }

    async fn connect(port: u16) -> Postgres {
        Postgres::connect(&url(port)).await.unwrap()
    }

    async fn refuse(&self, port: u16) {
        run(port, "ALTER SYSTEM SET default_transaction_read_only = on").await;
        run(port, "SELECT pg_reload_conf()").await;
    }

    async fn repair(&self, port: u16) {
        run(port, "ALTER SYSTEM RESET default_transaction_read_only").await;
        run(port, "SELECT pg_reload_conf()").await;
    }
}

/// The command after which Redis takes no writes, and the one after which it does again.
struct RefusingRedis(&'static [&'static str], &'static [&'static str]);

impl Database for RefusingRedis {
    type Log = Redis;

    fn start() -> Result<OwnServer, Missing> {
        OwnServer::redis()
    }

    async fn connect(port: u16) -> Redis {
        Redis::connect(&OwnServer::redis_url(port, 0)).await.unwrap()
    }

    async fn refuse(&self, port: u16) {
        RedisPair::ask::<()>(port, self.0).await.unwrap();
    }

    async fn repair(&self, port: u16) {
        RedisPair::ask::<()>(port, self.1).await.unwrap();
    }
}

fn input(agent: &str, thread: &str, run: &str, text: &str) -> Request {
    Request::run(agent, ask::run(thread, run, text).to_string()).patience(LEASE * 20)
}

fn is_unavailable(answer: &Whole) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert!(answer.text().contains("\"store_unavailable\""), "{}", answer.text());
}

fn refuses_writes<D: Database>(database: &D) {
    let server = need!(D::start());
    block_on(async {
        let agent = || (Arc::new(Ledger::default()), Arc::new(Steady));
        let ((ledger, steady), (again, steadily)) = (agent(), agent());
        let served = Server::new()
            .threads(D::connect(server.port()).await)
            .thread_options(ThreadOptions::default().lease(LEASE))
            .health("/health")
            .agent(ENDS, Scribe::<false>::new(ledger, steady))
            .agent(GOES_ON, Scribe::<true>::new(again, steadily));
        let address = Served::start(served).await.address;
        until(address, 200).await;

        let mut open = Vec::new();
        for (agent, thread, text) in [
            (ENDS, "silent", SILENT),
            (ENDS, "talks", TALKS),
            (GOES_ON, "silent", SILENT),
            (GOES_ON, "talks", TALKS),
        ] {
            let mut begun = input(agent, thread, "r1", text).open(address).await;
            begun.until("Wait").await;
            let path = format!("{}/threads/{thread}/events", agent.trim_end_matches('/'));
            let follower = Request::new("GET", &path).patience(LEASE * 20).open(address).await;
            assert_eq!((begun.status, follower.status), (200, 200));
            open.push((agent, begun));
            open.push((agent, follower));
        }
        database.refuse(server.port()).await;
        let refused = Instant::now();
        let noticed = until(address, 503).await;
        assert!(noticed < NOTICED, "ready for {noticed:?}");
        is_unavailable(&input(ENDS, "new", "r1", "t1").send(address).await);
        for (agent, stream) in open {
            let whole = timeout(LEASE * 20, stream.whole()).await.unwrap();
            let is_told = whole.text().trim_end().ends_with("\"code\":\"store_unavailable\"}");
            // A run that another server may continue has not ended.
            assert_eq!((is_told, whole.cut), (agent == ENDS, agent == GOES_ON), "{}", whole.text());
        }
        // Four leases, and a machine that is busy.
        let ended = refused.elapsed();
        assert!(ended < LEASE * 8, "streams were open for {ended:?}");
        is_unavailable(&Request::run("/connect", ask::connect("silent").to_string()).send(address).await);

        database.repair(server.port()).await;
        let well = until(address, 200).await;
        assert!(well < NOTICED, "not ready for {well:?}");
        assert_eq!(last(&input(ENDS, "new", "r2", "t1").send(address).await), "RUN_FINISHED");
        // The log says in the end what the readers were told.
        for thread in ["silent", "talks"] {
            let next = input(ENDS, thread, "r2", "t1").send(address).await;
            assert_eq!(last(&next), "RUN_FINISHED", "{}", next.text());
            let loaded = Request::run("/connect", ask::connect(thread).to_string()).send(address).await;
            assert_eq!(last(&loaded), "RUN_FINISHED", "{}", loaded.text());
        }
        let connect = Request::run("/again/connect", ask::connect("talks").to_string());
        let begun = Instant::now();
        let mut went_on = connect.send(address).await;
        while last(&went_on) != "RUN_FINISHED" {
            assert!(begun.elapsed() < LEASE * 8, "{}", went_on.text());
            sleep(LEASE / 10).await;
            went_on = connect.send(address).await;
        }
    });
}

#[test]
fn a_postgres_that_is_read_only_ends_streams_with_a_code_and_is_not_ready() {
    refuses_writes(&ReadOnlyPostgres);
}

#[test]
fn a_redis_without_its_replicas_ends_streams_with_a_code_and_is_not_ready() {
    refuses_writes(&RefusingRedis(
        &["CONFIG", "SET", "min-replicas-to-write", "1"],
        &["CONFIG", "SET", "min-replicas-to-write", "0"],
    ));
}

#[test]
fn a_redis_that_became_a_replica_ends_streams_with_a_code_and_is_not_ready() {
    // There is no primary.
    refuses_writes(&RefusingRedis(&["REPLICAOF", "127.0.0.1", "1"], &["REPLICAOF", "NO", "ONE"]));
}

#[test]
fn a_redis_that_is_full_ends_streams_with_a_code_and_is_not_ready() {
    refuses_writes(&RefusingRedis(
        &["CONFIG", "SET", "maxmemory", "1"],
        &["CONFIG", "SET", "maxmemory", "0"],
    ));
}
