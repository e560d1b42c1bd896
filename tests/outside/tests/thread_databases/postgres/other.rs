//! Two nodes on the same rows, and notices that do not come.

use std::time::{Duration, Instant};

use agui_runtime::thread::{AppendError, LogAppend, LogPosition, Postgres, ThreadKey, ThreadLog};
use agui_tests::need;
use futures::future::join_all;

use super::Schema;
use crate::executor::block_on;

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("ada", "/", thread)
}

fn one(at: LogPosition) -> LogAppend {
    LogAppend { at, epoch: at.epoch.max(1), records: vec!["a".into()], note: None, lease: None }
}

/// Two nodes flush the same threads in opposite orders, new ones and old ones: none waits for the other for ever, and each
/// position has one winner.
#[test]
fn nodes_that_flush_the_same_threads_do_not_block_each_other() {
    const THREADS: usize = 200;
    let schema = need!(Schema::shared());
    block_on(async {
        let nodes = [
            Postgres::connect(&schema.url()).await.unwrap(),
            Postgres::connect(&schema.url()).await.unwrap(),
        ];
        let keys: Vec<_> = (0..THREADS).map(|number| key(&number.to_string())).collect();
        let mut end = LogPosition::default();
        for _ in 0..10 {
            let forward = keys.iter().map(|key| nodes[0].append(key, one(end)));
            let backward = keys.iter().rev().map(|key| nodes[1].append(key, one(end)));
            let (forward, mut backward) = futures::join!(join_all(forward), join_all(backward));
            backward.reverse();
            end = LogPosition { epoch: 1, seq: end.seq + 1 };
            for outcomes in forward.into_iter().zip(backward) {
                match outcomes {
                    (Ok(won), Err(AppendError::Conflict { at }))
                    | (Err(AppendError::Conflict { at }), Ok(won)) => {
                        assert_eq!((won, at), (end, end));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    });
}

/// Written by hand, without a notice, as if it was lost.
#[test]
fn a_change_without_notice_is_seen_by_looking() {
    let schema = need!(Schema::shared());
    block_on(async {
        let log = Postgres::connect(&schema.url()).await.unwrap();
        let end = log.append(&key("t"), one(LogPosition::default())).await.unwrap();
        let begun = Instant::now();
        let write = async {
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            schema
                .run(
                    "WITH t AS (UPDATE agui_threads SET seq = seq + 1 RETURNING id, seq)
                     INSERT INTO agui_records SELECT id, seq, 'by hand' FROM t",
                )
                .await;
        };
        let read = async {
            while log.read(&key("t"), end.seq, 99).await.unwrap().records.is_empty() {
                log.changed(&key("t"), end.seq).await;
            }
        };
        futures::join!(write, read);
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    });
}

/// The connection that hears notices is ended by the server, as poolers do: it is made again.
#[test]
fn a_connection_for_notices_that_ends_is_made_again() {
    let schema = need!(Schema::shared());
    block_on(async {
        let [writer, reader] = [
            Postgres::connect(&schema.url()).await.unwrap(),
            Postgres::connect(&schema.url()).await.unwrap(),
        ];
        let mut end = writer.append(&key("t"), one(LogPosition::default())).await.unwrap();
        for _ in 0..3 {
            let path = schema.name.clone();
            // All connections of this schema.
            schema
                .run(&format!(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE query LIKE 'LISTEN agui_threads_%' AND pid <> pg_backend_pid()
                     AND query LIKE '%' || '{path}.agui_threads'::regclass::oid"
                ))
                .await;
            let next = end.seq + 1;
            let read = async {
                while reader.read(&key("t"), end.seq, 99).await.unwrap().at.seq != next {
                    reader.changed(&key("t"), end.seq).await;
                }
            };
            let written = key("t");
            let (appended, ()) = futures::join!(writer.append(&written, one(end)), read);
            end = appended.unwrap();
        }
    });
}

/// A record that the database refuses, of a store without room.
#[test]
fn an_error_of_the_server_is_no_lost_acknowledgement() {
    let schema = need!(Schema::shared());
    block_on(async {
        let log = Postgres::connect(&schema.url()).await.unwrap();
        let end = log.append(&key("t"), one(LogPosition::default())).await.unwrap();
        let full = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'no space'; END $$;
            CREATE TRIGGER no_room BEFORE INSERT ON agui_records EXECUTE FUNCTION no_room()";
        schema.run(full).await;
        match log.append(&key("t"), one(end)).await {
            Err(AppendError::Unavailable(error)) => {
                assert!(error.to_string().contains("no space"), "{error}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(log.head(&key("t")).await.unwrap().at, end);
        schema.run("DROP TRIGGER no_room ON agui_records").await;
        assert_eq!(log.append(&key("t"), one(end)).await.unwrap().seq, 2);
    });
}
