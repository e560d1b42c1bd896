//! The engine on Redis Streams.

mod other;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use agui_runtime::thread::{OpenError, Redis, ThreadLog};
use agui_tests::outside::{Missing, RedisServer};
use agui_tests::thread_contract::Store;

use crate::executor::{block_on, block_within};
use crate::faults::Server;

/// The server of the tests that do not kill it.
static SHARED: LazyLock<Result<RedisServer, Missing>> = LazyLock::new(RedisServer::start);

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
        RedisServer::url(self.port, self.number)
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

impl Server for RedisServer {
    fn begin() -> Result<Self, Missing> {
        Self::start()
    }

    fn port(&self) -> u16 {
        self.port()
    }

    fn connect(port: u16) -> Result<Arc<dyn ThreadLog>, OpenError> {
        Ok(Arc::new(block_within(Redis::connect(&Self::url(port, 0)))?))
    }

    fn kill(&self) {
        self.kill();
    }

    fn start_again(&self) {
        self.start_again();
    }

    fn pause(&self) {
        self.pause();
    }

    fn resume(&self) {
        self.resume();
    }
}

mod faults {
    use agui_tests::outside::RedisServer;

    crate::server_faults!(RedisServer);
}

mod contract {
    use super::Database;

    agui_tests::thread_contract!(Database::shared());
}
