//! Postgres behind PgBouncer, whose transactions get any session of the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use agui_runtime::thread::{LogAppend, LogPosition, Postgres, ThreadKey, ThreadLog};
use agui_tests::log::Log;
use agui_tests::need;
use agui_tests::outside::{Missing, OwnServer};

use crate::executor::{block_on, block_within};
use crate::faults::Engine;

pub(crate) fn url(port: u16) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/postgres")
}

struct BehindPooler;

/// The poolers, by the port of their server. They end with the process.
static POOLERS: Mutex<Option<HashMap<u16, OwnServer>>> = Mutex::new(None);

impl Engine for BehindPooler {
    fn start() -> Result<OwnServer, Missing> {
        let server = OwnServer::postgres()?;
        let pooler = OwnServer::pgbouncer(server.port(), "")?;
        let mut poolers = POOLERS.lock().unwrap_or_else(PoisonError::into_inner);
        poolers.get_or_insert_default().insert(server.port(), pooler);
        Ok(server)
    }

    fn connect(port: u16) -> Arc<dyn ThreadLog> {
        let poolers = POOLERS.lock().unwrap_or_else(PoisonError::into_inner);
        // A proxy of a test stands before the server, and has no pooler.
        let pooled = poolers.as_ref().and_then(|poolers| poolers.get(&port)).map_or(port, OwnServer::port);
        drop(poolers);
        Arc::new(block_within(Postgres::connect(&url(pooled))).unwrap())
    }
}

crate::server_faults!(BehindPooler: acknowledged_records_outlive_kills, conversations_outlive_kills);

pub(crate) async fn run(port: u16, sql: &str) {
    let (client, connection) = tokio_postgres::connect(&url(port), tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.simple_query(sql).await.unwrap();
    connection.abort();
}

/// A pooler that cannot do what is needed is refused, with what to set.
#[test]
fn a_pooler_that_cannot_do_what_is_needed_says_what_to_set() {
    let server = need!(OwnServer::postgres());
    let error = |pooler: &OwnServer, settings: &str| {
        let address = format!("{}{settings}", url(pooler.port()));
        let connecting = Postgres::connect(&address);
        block_within(connecting).unwrap_err().to_string()
    };
    let refusing = need!(OwnServer::pgbouncer(server.port(), ""));
    let ignoring = need!(OwnServer::pgbouncer(server.port(), "ignore_startup_parameters = options"));
    for pooler in [&refusing, &ignoring] {
        let told = error(pooler, "?options=-csearch_path%3Dpublic");
        assert!(told.contains("`options`"), "{told}");
    }
    let statements = need!(OwnServer::pgbouncer(server.port(), "pool_mode = statement"));
    let told = error(&statements, "");
    assert!(told.contains("set `pool_mode = transaction`"), "{told}");
    block_on(run(server.port(), "ALTER ROLE postgres SET default_transaction_isolation = 'serializable'"));
    let told = error(&need!(OwnServer::pgbouncer(server.port(), "")), "");
    assert!(told.contains("ALTER ROLE"), "{told}");
}

/// Another program leaves a search path in the pooler's sessions, in which there are no tables, or others of the same names.
#[test]
fn the_search_path_of_another_program_leads_to_no_other_tables() {
    let server = need!(OwnServer::postgres());
    let pooler = need!(OwnServer::pgbouncer(server.port(), "default_pool_size = 1"));
    block_on(async {
        run(server.port(), "CREATE SCHEMA \"other's\"; CREATE TABLE \"other's\".agui_threads (wrong int)")
            .await;
        let leave_path = async || run(pooler.port(), "SET search_path TO \"other's\"").await;
        leave_path().await;
        let threads = Postgres::connect(&url(pooler.port())).await.unwrap();
        let key = ThreadKey::new("ada", "/", "t");
        let mut at = LogPosition::default();
        for _ in 0..5 {
            leave_path().await;
            let append = LogAppend { at, epoch: 1, records: vec!["a".into()], note: None, lease: None };
            at = threads.append(&key, append).await.unwrap();
            leave_path().await;
            threads.probe_write().await.unwrap();
            assert_eq!(threads.read(&key, 0, 9_999).await.unwrap().at, at);
        }
        let direct = Postgres::connect(&url(server.port())).await.unwrap();
        assert_eq!(direct.read(&key, 0, 9_999).await.unwrap().records.len(), 5);
    });
}

/// Another program leaves `synchronous_commit = off` behind in the pooler's session; ours leaves nothing there.
#[test]
fn nothing_is_left_in_the_sessions_of_a_pooler() {
    let server = need!(OwnServer::postgres());
    // As the documentation advises.
    block_on(run(server.port(), "ALTER ROLE postgres SET statement_timeout = '8s'"));
    for settings in ["", "ignore_startup_parameters = options"] {
        let pooler = need!(OwnServer::pgbouncer(server.port(), settings));
        block_on(async {
            let (log, recording) = Log::record(tracing::Level::WARN);
            let threads = Postgres::connect(&url(pooler.port())).await.unwrap();
            drop(recording);
            assert!(log.take().iter().any(|line| line.contains("a pooler")), "{settings}");
            let key = ThreadKey::new("ada", "/", settings);
            let mut at = LogPosition::default();
            for number in 0..50_u32 {
                let records = vec![number.to_string().into()];
                let append = LogAppend { at, epoch: 1, records, note: None, lease: None };
                at = threads.append(&key, append).await.unwrap();
            }
            threads.probe_write().await.unwrap();
            assert_eq!(threads.read(&key, 0, 9_999).await.unwrap().records.len(), 50);
            let (client, connection) =
                tokio_postgres::connect(&url(pooler.port()), tokio_postgres::NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            for _ in 0..20 {
                let shown = client
                    .simple_query(
                        "SELECT current_setting('synchronous_commit'), current_setting('statement_timeout'), \
                         (SELECT count(*) FROM pg_prepared_statements), (SELECT count(*) FROM pg_listening_channels())",
                    )
                    .await
                    .unwrap();
                let row = shown.iter().find_map(|message| match message {
                    tokio_postgres::SimpleQueryMessage::Row(row) => Some(
                        (0..4)
                            .map(|column| row.get(column).unwrap_or_default().to_owned())
                            .collect::<Vec<_>>(),
                    ),
                    _ => None,
                });
                assert_eq!(row.unwrap(), ["on", "8s", "0", "0"], "{settings}");
            }
            connection.abort();
        });
    }
}
