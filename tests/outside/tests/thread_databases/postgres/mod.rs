//! The engine on Postgres.

mod other;
mod schema;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use agui_runtime::thread::{Postgres, ThreadLog};
use agui_tests::outside::{Missing, OwnServer};
use agui_tests::thread_conformance::Store;

use crate::executor::{block_on, block_within};
use crate::faults::Engine;

/// The server of the tests that do not kill it.
static SHARED: LazyLock<Result<OwnServer, Missing>> = LazyLock::new(OwnServer::postgres);

/// A schema of one test.
pub(crate) struct Schema {
    port: u16,
    name: String,
}

impl Schema {
    pub(crate) fn shared() -> Result<Self, Missing> {
        SHARED.as_ref().map(Self::of).map_err(Clone::clone)
    }

    pub(crate) fn of(server: &OwnServer) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let name = format!("test_{}", MADE.fetch_add(1, Ordering::Relaxed));
        let schema = Self { port: server.port(), name };
        block_within(schema.run(&format!("CREATE SCHEMA {}", schema.name)));
        schema
    }

    pub(crate) fn url(&self) -> String {
        OwnServer::postgres_url(self.port, &self.name)
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

struct OnPostgres;

impl Engine for OnPostgres {
    fn start() -> Result<OwnServer, Missing> {
        OwnServer::postgres()
    }

    fn connect(port: u16) -> Arc<dyn ThreadLog> {
        Arc::new(block_within(Postgres::connect(&OwnServer::postgres_url(port, "public"))).unwrap())
    }
}

mod faults {
    crate::server_faults!(super::OnPostgres);
}

mod conformance {
    use super::Schema;

    agui_tests::thread_conformance!(Schema::shared());
}
