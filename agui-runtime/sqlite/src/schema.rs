//! The database file's tables, versions and connections.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agui_runtime_core::thread::{LogError, OpenError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::failure::log_error;

/// `AGUI` in SQLite's application id field.
const APPLICATION: i32 = i32::from_be_bytes(*b"AGUI");

/// The maximum wait for another writing process.
const BUSY: Duration = Duration::from_secs(2);

/// Each step migrates a file from the version equal to the step's index to the next. Steps are only added.
///
/// Records have no row ids, so a thread's records are one page range, and an append writes one place.
const STEPS: [&str; 1] = ["
    CREATE TABLE threads (
        id INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        agent TEXT NOT NULL,
        thread TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        first INTEGER NOT NULL,
        note BLOB NOT NULL,
        lease_ends INTEGER,
        changed INTEGER NOT NULL,
        UNIQUE (owner, agent, thread)
    );
    CREATE INDEX threads_listed ON threads (owner, agent, changed DESC, thread);
    CREATE INDEX threads_leased ON threads (lease_ends) WHERE lease_ends IS NOT NULL;
    CREATE INDEX threads_idle ON threads (changed) WHERE lease_ends IS NULL;
    CREATE TABLE records (
        thread INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        record BLOB NOT NULL,
        PRIMARY KEY (thread, seq)
    ) WITHOUT ROWID;
"];

/// Opens the writer connection; creates or migrates the file.
pub(super) fn open(path: &Path) -> Result<Connection, OpenError> {
    let mut db = connect(path, OpenFlags::SQLITE_OPEN_CREATE).map_err(|error| refused(path, &error))?;
    if db.is_readonly("main").map_err(|error| refused(path, &error))? {
        return Err(LogError::new(format_args!("{} cannot be written", path.display())).into());
    }
    begin(&db).map_err(|error| refused(path, &error))?;
    migrate(&mut db, path, &STEPS)?;
    // After the check that the file is ours: the mode is a property of the file.
    use_wal(&db)
        .and_then(|()| db.pragma_update(None, "synchronous", "FULL"))
        .map_err(|error| refused(path, &error))?;
    Ok(db)
}

/// Creates a new file's tables in WAL mode, which takes half as many disk syncs. A crash never breaks the file, and the first
/// append also makes the tables durable.
fn begin(db: &Connection) -> rusqlite::Result<()> {
    let pages: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
    if pages == 0 {
        db.pragma_update(None, "synchronous", "NORMAL")?;
        // Another process that opens the file may be at it, and the mode is set after the check of the file in any case.
        let _ = use_wal(db);
    }
    Ok(())
}

fn use_wal(db: &Connection) -> rusqlite::Result<()> {
    db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
}

/// Opens a reader connection to an existing file.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, OpenError> {
    connect(path, OpenFlags::empty())
        .and_then(|db| db.pragma_update(None, "query_only", true).map(|()| db))
        .map_err(|error| refused(path, &error))
}

fn connect(path: &Path, more: OpenFlags) -> rusqlite::Result<Connection> {
    // Without a folder before it, `:memory:` and the empty name mean a file of one connection.
    let path = PathBuf::from(".").join(path);
    let db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more,
    )?;
    db.busy_timeout(BUSY)?;
    Ok(db)
}

/// Returns the error for a file that does not open.
pub(super) fn refused(path: &Path, error: &rusqlite::Error) -> OpenError {
    if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return foreign(path);
    }
    LogError::new(format_args!("{}: {}", path.display(), log_error(error).reason())).into()
}

fn foreign(path: &Path) -> OpenError {
    OpenError::Foreign { what: path.display().to_string() }
}

/// Runs the missing steps in one transaction: a process that opens the file at the same time waits.
fn migrate(db: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), OpenError> {
    let refused = |error: rusqlite::Error| refused(path, &error);
    let known = steps.len() as u64;
    let transaction =
        db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(refused)?;
    let number = |pragma| transaction.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let (application, version) =
        (number("application_id").map_err(refused)?, number("user_version").map_err(refused)?);
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(refused)?;
    let is_new = application == 0 && version == 0 && tables == 0;
    let Some(version) =
        u64::try_from(version).ok().filter(|_| is_new || application == i64::from(APPLICATION))
    else {
        return Err(foreign(path));
    };
    if version > known {
        return Err(OpenError::Newer { found: version, known });
    }
    for (step, next) in steps.iter().zip(1..).skip_while(|(_, next)| *next <= version) {
        transaction
            .execute_batch(step)
            .and_then(|()| transaction.pragma_update(None, "application_id", APPLICATION))
            .and_then(|()| transaction.pragma_update(None, "user_version", next.cast_signed()))
            .map_err(refused)?;
    }
    transaction.commit().map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_an_older_version_gets_the_steps_that_it_lacks() {
        let mut db = Connection::open_in_memory().unwrap();
        let path = Path::new("threads.db");
        migrate(&mut db, path, &STEPS).unwrap();
        db.execute_batch("INSERT INTO records VALUES (1, 1, x'00')").unwrap();

        let next = [STEPS[0], "ALTER TABLE records ADD COLUMN kind INTEGER"];
        migrate(&mut db, path, &next).unwrap();
        migrate(&mut db, path, &next).unwrap();
        let columns: i64 =
            db.query_row("SELECT count(*) FROM pragma_table_info('records')", [], |row| row.get(0)).unwrap();
        let records: i64 = db.query_row("SELECT count(*) FROM records", [], |row| row.get(0)).unwrap();
        assert_eq!((columns, records), (4, 1));

        let refused = migrate(&mut db, path, &STEPS).unwrap_err();
        assert!(matches!(refused, OpenError::Newer { found: 2, known: 1 }), "{refused}");
    }

    #[test]
    fn a_step_that_fails_leaves_the_file_as_it_was() {
        let mut db = Connection::open_in_memory().unwrap();
        let path = Path::new("threads.db");
        migrate(&mut db, path, &STEPS).unwrap();
        let broken = [STEPS[0], "ALTER TABLE records ADD COLUMN kind INTEGER; no statement"];
        assert!(matches!(migrate(&mut db, path, &broken), Err(OpenError::Unavailable(_))));
        migrate(&mut db, path, &STEPS).unwrap();
    }
}
