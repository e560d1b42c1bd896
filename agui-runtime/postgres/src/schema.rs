//! The tables and their versions.

use agui_runtime_core::thread::{LogError, OpenError};
use tokio_postgres::Config;

use super::failure::log_error;
use super::get;
use super::link::Session;

/// Each step migrates the tables from the version equal to the step's index to the next. Steps are only added.
///
/// Thread ids are never reused, so a deleted thread's records belong to no other thread.
const STEPS: [&str; 1] = ["
    CREATE TABLE agui_threads (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        key bytea NOT NULL UNIQUE,
        list bytea NOT NULL,
        owner bytea NOT NULL,
        agent bytea NOT NULL,
        thread bytea NOT NULL,
        epoch bigint NOT NULL,
        seq bigint NOT NULL,
        first bigint NOT NULL,
        note bytea NOT NULL,
        lease_ends bigint,
        changed bigint NOT NULL
    );
    CREATE INDEX agui_threads_listed ON agui_threads (list, changed DESC);
    CREATE INDEX agui_threads_leased ON agui_threads (lease_ends) WHERE lease_ends IS NOT NULL;
    CREATE INDEX agui_threads_idle ON agui_threads (changed) WHERE lease_ends IS NULL;
    CREATE TABLE agui_records (
        thread bigint NOT NULL,
        seq bigint NOT NULL,
        record bytea NOT NULL,
        PRIMARY KEY (thread, seq)
    )"];

/// Migrates the tables in one transaction, and returns their schema, quoted for SQL. A node that starts at the same time waits.
pub(super) async fn migrate(config: &Config) -> Result<String, OpenError> {
    migrate_by(config, &STEPS).await
}

async fn migrate_by(config: &Config, steps: &[&str]) -> Result<String, OpenError> {
    let session = Session::open(config).await?;
    let run = async |sql: &str| session.execute_batch(sql).await.map_err(|error| log_error(&error));
    // The number is any that other programs of the database do not use.
    // Behind a pooler another program may have set the path of the session: the default is that of the role or of the address.
    run("BEGIN; SET LOCAL search_path TO DEFAULT; SELECT pg_advisory_xact_lock(4707774891052851012)").await?;
    let found = version(&session).await?;
    let known = steps.len() as u64;
    if found > known {
        return Err(OpenError::Newer { found, known });
    }
    // A role that may not make tables can use those that are up to date.
    if found < known {
        run("CREATE TABLE IF NOT EXISTS agui_schema (version bigint NOT NULL)").await?;
        for (step, _) in steps.iter().zip(1..).skip_while(|(_, next)| *next <= found) {
            run(step).await?;
        }
        run(&format!("DELETE FROM agui_schema; INSERT INTO agui_schema VALUES ({known})")).await?;
    }
    let schema = schema(&session).await?;
    run("COMMIT").await?;
    Ok(schema)
}

async fn schema(session: &Session) -> Result<String, LogError> {
    let named = "SELECT quote_ident(nspname) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace \
        WHERE pg_class.oid = 'agui_threads'::regclass";
    let rows = session.query_once(named).await.map_err(|error| log_error(&error))?;
    get(rows.first().ok_or_else(|| LogError::new("the tables have no schema"))?, 0)
}

/// Returns the tables' version; 0 without tables.
async fn version(session: &Session) -> Result<u64, OpenError> {
    let query = async |sql| session.query_once(sql).await.map_err(|error| log_error(&error));
    let tables = query(
        "SELECT to_regclass('agui_schema') IS NOT NULL, \
         coalesce(to_regclass('agui_threads'), to_regclass('agui_records')) IS NOT NULL",
    )
    .await?;
    let tables = tables.first().ok_or_else(|| LogError::new("no answer about the tables"))?;
    match (get(tables, 0)?, get(tables, 1)?) {
        (false, false) => return Ok(0),
        (false, true) => return Err(foreign("agui_threads")),
        (true, _) => {}
    }
    let rows = session.query_once("SELECT version FROM agui_schema").await;
    // A table of this name with other columns.
    let rows = rows.map_err(|_| foreign("agui_schema"))?;
    let version = rows.first().and_then(|row| get::<i64>(row, 0).ok());
    let version = version.and_then(|version| u64::try_from(version).ok());
    // The first version is 1.
    version.filter(|version| *version > 0).ok_or_else(|| foreign("agui_schema"))
}

fn foreign(table: &str) -> OpenError {
    OpenError::Foreign { what: format!("the table {table}") }
}
