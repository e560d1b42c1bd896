//! The engine on Postgres.

mod other;
mod schema;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use agui_runtime::thread::{OpenError, Postgres, ThreadLog};
use agui_tests::outside::{Missing, PostgresServer};
use agui_tests::thread_contract::Store;

use crate::executor::{block_on, block_within};
use crate::faults::Server;

/// The server of the tests that do not kill it.
static SHARED: LazyLock<Result<PostgresServer, Missing>> = LazyLock::new(PostgresServer::start);

/// A schema of one test.
pub(crate) struct Schema {
    port: u16,
    name: String,
}

impl Schema {
    pub(crate) fn shared() -> Result<Self, Missing> {
        SHARED.as_ref().map(|server| Self::of(server)).map_err(Clone::clone)
    }

    pub(crate) fn of(server: &PostgresServer) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let name = format!("test_{}", MADE.fetch_add(1, Ordering::Relaxed));
        let schema = Self { port: server.port(), name };
        block_within(schema.run(&format!("CREATE SCHEMA {}", schema.name)));
        schema
    }

    pub(crate) fn url(&self) -> String {
        PostgresServer::url(self.port, &self.name)
    }

    /// Runs statements beside the engine.
    pub(crate) async fn run(&self, sql: &str) {
        let (client, connection) = tokio_postgres::connect(&self.url(), tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
        connection.abort();
    }
}

impl Store for Schema {
    fn node(&self) -> Arc<dyn ThreadLog> {
        Arc::new(block_within(Postgres::connect(&self.url())).unwrap())
    }

    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        block_on(work)
    }
}

impl Server for PostgresServer {
    fn begin() -> Result<Self, Missing> {
        Self::start()
    }

    fn port(&self) -> u16 {
        self.port()
    }

    fn connect(port: u16) -> Result<Arc<dyn ThreadLog>, OpenError> {
        Ok(Arc::new(block_within(Postgres::connect(&Self::url(port, "public")))?))
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
    use agui_tests::outside::PostgresServer;

    crate::server_faults!(PostgresServer);
}

mod contract {
    use super::Schema;

    agui_tests::thread_contract!(Schema::shared());
}
