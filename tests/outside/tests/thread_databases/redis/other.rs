//! Keys of others, and of other versions.

use agui_runtime::thread::{AppendError, LogAppend, LogPosition, OpenError, Redis, ThreadKey, ThreadLog};
use agui_tests::need;
use agui_tests::outside::OwnServer;

use super::Database;
use crate::executor::block_on;

async fn refused(database: &Database) -> OpenError {
    Redis::connect(&database.url()).await.unwrap_err()
}

#[test]
fn keys_of_a_newer_version_are_refused() {
    let database = need!(Database::shared());
    block_on(async {
        drop(Redis::connect(&database.url()).await.unwrap());
        database.run(&["SET", "{agui-threads}:schema", "2"]).await;
        match refused(&database).await {
            OpenError::Newer { found: 2, known: 1 } => {}
            other => panic!("{other}"),
        }
        database.run(&["SET", "{agui-threads}:schema", "1"]).await;
        Redis::connect(&database.url()).await.unwrap();
    });
}

#[test]
fn keys_of_another_program_are_refused() {
    let database = need!(Database::shared());
    block_on(async {
        for command in [
            &["SET", "{agui-threads}:schema", "of another program"][..],
            &["SET", "{agui-threads}:schema", "0"],
            &["SET", "{agui-threads}:schema", "-1"],
            &["DEL", "{agui-threads}:schema"],
            &["LPUSH", "{agui-threads}:schema", "1"],
        ] {
            database.run(command).await;
            if command[0] != "DEL" {
                let error = refused(&database).await;
                assert!(matches!(error, OpenError::Foreign { .. }), "{error}");
            }
        }
    });
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password() {
    // Nothing listens on the port of discard.
    let error = block_on(Redis::connect("redis://:secret@127.0.0.1:9/0")).unwrap_err();
    assert!(matches!(error, OpenError::Unavailable(_)), "{error}");
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    for url in ["", "http://localhost", "redis://", "rediss://127.0.0.1:9/", "redis://127.0.0.1:9/x"] {
        let error = block_on(Redis::connect(url)).unwrap_err();
        assert!(matches!(error, OpenError::Unavailable(_)), "{url}: {error}");
    }
}

/// A server that may not write, or has no memory left, says so; nothing of the append is there.
#[test]
fn a_server_that_refuses_writes_is_an_error_until_it_takes_them() {
    let server = need!(OwnServer::redis());
    let own = Database { port: server.port(), number: 0 };
    block_on(async {
        let log = Redis::connect(&own.url()).await.unwrap();
        let key = ThreadKey::new("", "/", "t");
        let append = |at: LogPosition| LogAppend {
            at,
            epoch: 1,
            records: vec!["a".into(), "b".into()],
            note: None,
            lease: None,
        };
        let end = log.append(&key, append(LogPosition::default())).await.unwrap();
        for (refuse, allow) in [
            (&["CONFIG", "SET", "maxmemory", "1"][..], &["CONFIG", "SET", "maxmemory", "0"][..]),
            (
                &["CONFIG", "SET", "min-replicas-to-write", "1"],
                &["CONFIG", "SET", "min-replicas-to-write", "0"],
            ),
            (&["REPLICAOF", "127.0.0.1", "9"], &["REPLICAOF", "NO", "ONE"]),
        ] {
            own.run(refuse).await;
            match log.append(&key, append(end)).await {
                Err(AppendError::Unavailable(_)) => {}
                other => panic!("{refuse:?}: {other:?}"),
            }
            own.run(allow).await;
            assert_eq!(log.head(&key).await.unwrap().at, end, "{refuse:?}");
            assert_eq!(log.read(&key, 0, 99).await.unwrap().last(), end.seq, "{refuse:?}");
        }
        assert_eq!(log.append(&key, append(end)).await.unwrap().seq, 4);
    });
}

/// `FLUSHALL` and a script cache that was emptied: the engine goes on with an empty store.
#[test]
fn a_server_that_was_emptied_is_an_empty_store() {
    let database = need!(Database::shared());
    block_on(async {
        let log = Redis::connect(&database.url()).await.unwrap();
        let key = ThreadKey::new("", "/", "t");
        let first = LogAppend {
            at: LogPosition::default(),
            epoch: 1,
            records: vec!["a".into()],
            note: None,
            lease: None,
        };
        let end = log.append(&key, first.clone()).await.unwrap();
        database.run(&["FLUSHDB"]).await;
        database.run(&["SCRIPT", "FLUSH"]).await;
        match log.append(&key, LogAppend { at: end, ..first.clone() }).await {
            Err(AppendError::Conflict { at }) => assert_eq!(at, LogPosition::default()),
            other => panic!("{other:?}"),
        }
        log.append(&key, first).await.unwrap();
        assert_eq!(log.head(&key).await.unwrap().at, end);
    });
}
