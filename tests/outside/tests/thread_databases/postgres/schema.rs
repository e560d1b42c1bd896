//! The tables of others, of other versions, and of nodes that start at once.

use agui_runtime::thread::{OpenError, Postgres, ThreadLog};
use agui_tests::need;
use agui_tests::thread_conformance::Store as _;
use futures::future::join_all;

use super::Schema;
use crate::executor::block_on;

async fn refused(schema: &Schema) -> OpenError {
    Postgres::connect(&schema.url()).await.unwrap_err()
}

#[test]
fn tables_of_a_newer_version_are_refused() {
    let schema = need!(Schema::shared());
    block_on(async {
        drop(Postgres::connect(&schema.url()).await.unwrap());
        schema.run("UPDATE agui_schema SET version = 7").await;
        match refused(&schema).await {
            OpenError::Newer { found: 7, known: 1 } => {}
            other => panic!("{other}"),
        }
        schema.run("UPDATE agui_schema SET version = 1").await;
        Postgres::connect(&schema.url()).await.unwrap();
    });
}

#[test]
fn tables_of_another_program_are_refused_and_left_as_they_are() {
    for made in [
        "CREATE TABLE agui_threads (name text); INSERT INTO agui_threads VALUES ('theirs')",
        "CREATE TABLE agui_records (name text); INSERT INTO agui_records VALUES ('theirs')",
        "CREATE TABLE agui_schema (name text); INSERT INTO agui_schema VALUES ('theirs')",
        "CREATE TABLE agui_schema (version bigint)",
        "CREATE TABLE agui_schema (version bigint); INSERT INTO agui_schema VALUES (0)",
        "CREATE TABLE agui_schema (version bigint); INSERT INTO agui_schema VALUES (-1)",
    ] {
        let schema = need!(Schema::shared());
        block_on(async {
            schema.run(made).await;
            let error = refused(&schema).await;
            assert!(matches!(error, OpenError::Foreign { .. }), "{made}: {error}");
            // The same again: it was not changed.
            assert_eq!(refused(&schema).await.to_string(), error.to_string());
        });
    }
}

#[test]
fn nodes_that_start_at_once_make_the_tables_once() {
    let schema = need!(Schema::shared());
    block_on(async {
        let url = schema.url();
        let opened = join_all((0..12).map(|_| Postgres::connect(&url))).await;
        for opened in opened {
            opened.unwrap();
        }
    });
}

/// A role that may use the tables, and may not make them.
#[test]
fn a_role_without_permission_to_make_tables_uses_them() {
    let schema = need!(Schema::shared());
    let role = format!("guest_of_{}", schema.name);
    let url = schema.url().replace("postgres@", &format!("{role}@"));
    block_on(async {
        schema
            .run(&format!("CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {} TO {role}", schema.name))
            .await;
        let error = Postgres::connect(&url).await.unwrap_err();
        assert!(error.to_string().contains("permission denied"), "{error}");
    });
    drop(schema.node());
    block_on(async {
        let grant = format!("GRANT ALL ON ALL TABLES IN SCHEMA {} TO {role}", schema.name);
        schema.run(&grant).await;
        let log = Postgres::connect(&url).await.unwrap();
        assert!(log.expired(9).await.unwrap().is_empty());
    });
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password() {
    // Nothing listens on the port of discard.
    let error = block_on(Postgres::connect("postgres://agui:secret@127.0.0.1:9/agui")).unwrap_err();
    assert!(matches!(error, OpenError::Unavailable(_)), "{error}");
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    for url in ["", "http://localhost", "postgres://", "host=127.0.0.1 port=x"] {
        let error = block_on(Postgres::connect(url)).unwrap_err();
        assert!(matches!(error, OpenError::Unavailable(_)), "{url}: {error}");
    }
}
