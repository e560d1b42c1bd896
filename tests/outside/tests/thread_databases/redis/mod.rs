//! The engine on Redis Streams.

mod other;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use agui_runtime::thread::{Redis, ThreadLog};
use agui_tests::outside::{Missing, OwnServer};
use agui_tests::thread_conformance::Store;

use crate::executor::{block_on, block_within};
use crate::faults::Engine;

/// The server of the tests that do not kill it.
static SHARED: LazyLock<Result<OwnServer, Missing>> = LazyLock::new(OwnServer::redis);

/// A database of one test.
pub(crate) struct Database {
    port: u16,
    number: u64,
}

impl Database {
    pub(crate) fn shared() -> Result<Self, Missing> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let server = SHARED.as_ref().map_err(Clone::clone)?;
        Ok(Self { port: server.port(), number: MADE.fetch_add(1, Ordering::Relaxed) })
    }

    pub(crate) fn url(&self) -> String {
        OwnServer::redis_url(self.port, self.number)
    }

    /// Runs a command beside the engine.
    pub(crate) async fn run(&self, command: &[&str]) {
        let client = redis::Client::open(self.url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let mut call = redis::cmd(command[0]);
        call.arg(&command[1..]);
        call.exec_async(&mut connection).await.unwrap();
    }
}

impl Store for Database {
    fn node(&self) -> Arc<dyn ThreadLog> {
        Arc::new(block_within(Redis::connect(&self.url())).unwrap())
    }

    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        block_on(work)
    }
}

struct OnRedis;

impl Engine for OnRedis {
    fn start() -> Result<OwnServer, Missing> {
        OwnServer::redis()
    }

    fn connect(port: u16) -> Arc<dyn ThreadLog> {
        Arc::new(block_within(Redis::connect(&OwnServer::redis_url(port, 0))).unwrap())
    }
}

mod faults {
    crate::server_faults!(super::OnRedis);
}

mod conformance {
    use super::Database;

    agui_tests::thread_conformance!(Database::shared());
}
