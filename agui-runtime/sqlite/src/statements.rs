//! The log operations as SQL statements.

use std::time::{Duration, UNIX_EPOCH};

use agui_runtime_core::thread::{LogAppend, LogHead, LogPage, LogPosition, ThreadEntry, ThreadKey};
use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::millis;

/// A write's value, and true if waiting readers must look again.
pub(super) struct ChangedThread<T> {
    pub(super) value: T,
    pub(super) wakes: bool,
}

impl<T> ChangedThread<T> {
    fn yes(value: T) -> Self {
        Self { value, wakes: true }
    }

    pub(super) fn no(value: Result<T>) -> Result<Self> {
        Ok(Self { value: value?, wakes: false })
    }
}

struct SqliteThread {
    id: i64,
    at: LogPosition,
    first: u64,
}

fn thread(db: &Connection, key: &ThreadKey) -> Result<Option<SqliteThread>> {
    db.prepare_cached(
        "SELECT id, epoch, seq, first FROM threads WHERE owner = ? AND agent = ? AND thread = ?",
    )?
    .query_row([key.owner(), key.agent(), key.thread()], |row| {
        let at = LogPosition { epoch: unsigned(row, 1)?, seq: unsigned(row, 2)? };
        Ok(SqliteThread { id: row.get(0)?, at, first: unsigned(row, 3)? })
    })
    .optional()
}

// Numbers of records never reach half of the range; epochs are only compared for equality.
fn unsigned(row: &Row<'_>, column: usize) -> Result<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

fn bytes(row: &Row<'_>, column: usize) -> Result<Bytes> {
    Ok(Bytes::copy_from_slice(row.get_ref(column)?.as_blob()?))
}

fn key(row: &Row<'_>) -> Result<ThreadKey> {
    Ok(ThreadKey::new(row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// Appends records. `Err` has the log's end if the log ends elsewhere.
pub(super) fn append(
    db: &Connection,
    key: &ThreadKey,
    append: &LogAppend,
    now: i64,
) -> Result<ChangedThread<Result<LogPosition, LogPosition>>> {
    let LogAppend { at, epoch, records, note, lease } = append;
    let known = thread(db, key)?;
    let found = known.as_ref().map(|thread| thread.at).unwrap_or_default();
    if found != *at {
        return ChangedThread::no(Ok(Err(found)));
    }
    if at.seq == 0 && records.is_empty() {
        return ChangedThread::no(Ok(Ok(found)));
    }
    let end = LogPosition { epoch: *epoch, seq: at.seq + records.len() as u64 };
    let note = note.as_deref();
    let lease_ends = lease.map(|time| now.saturating_add(millis(time)));
    let id = if let Some(thread) = known {
        db.prepare_cached(
            "UPDATE threads SET epoch = ?, seq = ?, note = coalesce(?, note), lease_ends = ?, changed = ? \
             WHERE id = ?",
        )?
        .execute(params![
            epoch.cast_signed(),
            end.seq.cast_signed(),
            note,
            lease_ends,
            now,
            thread.id
        ])?;
        thread.id
    } else {
        db.prepare_cached(
            "INSERT INTO threads (owner, agent, thread, epoch, seq, first, note, lease_ends, changed) \
             VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)",
        )?
        .insert(params![
            key.owner(),
            key.agent(),
            key.thread(),
            epoch.cast_signed(),
            end.seq.cast_signed(),
            note.unwrap_or_default(),
            lease_ends,
            now
        ])?
    };
    let mut insert = db.prepare_cached("INSERT INTO records (thread, seq, record) VALUES (?, ?, ?)")?;
    for (seq, record) in (at.seq + 1..).zip(records) {
        insert.execute(params![id, seq.cast_signed(), &record[..]])?;
    }
    Ok(ChangedThread::yes(Ok(end)))
}

/// Reads records. `Err` has the first readable record if earlier ones were requested.
pub(super) fn read(
    db: &mut Connection,
    key: &ThreadKey,
    after: u64,
    bytes_wanted: usize,
) -> Result<Result<LogPage, u64>> {
    // Both statements see one state of the file.
    let db = db.transaction()?;
    let Some(thread) = thread(&db, key)? else { return Ok(Ok(LogPage::default())) };
    if after != 0 && after < thread.first {
        return Ok(Err(thread.first));
    }
    let (mut page, mut taken) = (LogPage::new(Vec::new(), thread.at), 0);
    let mut select =
        db.prepare_cached("SELECT seq, record FROM records WHERE thread = ? AND seq > ? ORDER BY seq")?;
    let mut rows = select.query(params![thread.id, i64::try_from(after).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        taken += row.get_ref(1)?.as_blob()?.len();
        if !page.records.is_empty() && taken > bytes_wanted {
            break;
        }
        page.records.push((unsigned(row, 0)?, bytes(row, 1)?));
    }
    Ok(Ok(page))
}

pub(super) fn head(db: &Connection, key: &ThreadKey, now: i64) -> Result<LogHead> {
    let head = db
        .prepare_cached(
            "SELECT epoch, seq, first, note, lease_ends FROM threads \
             WHERE owner = ? AND agent = ? AND thread = ?",
        )?
        .query_row([key.owner(), key.agent(), key.thread()], |row| {
            let lease_ends: Option<i64> = row.get(4)?;
            let left = |end: i64| Duration::from_millis(end.saturating_sub(now).try_into().unwrap_or(0));
            let at = LogPosition { epoch: unsigned(row, 0)?, seq: unsigned(row, 1)? };
            Ok(LogHead::new(at, unsigned(row, 2)?, bytes(row, 3)?, lease_ends.map(left)))
        })
        .optional()?;
    Ok(head.unwrap_or_default())
}

/// Writes the schema version again: a write that changes nothing, but needs the disk.
pub(super) fn touch(db: &Connection) -> rusqlite::Result<()> {
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    db.pragma_update(None, "user_version", version)
}

pub(super) fn renew(db: &Connection, key: &ThreadKey, epoch: u64, time: Duration, now: i64) -> Result<bool> {
    let renewed = db
        .prepare_cached(
            "UPDATE threads SET lease_ends = ? \
             WHERE owner = ? AND agent = ? AND thread = ? AND epoch = ? AND lease_ends IS NOT NULL",
        )?
        .execute(params![
            now.saturating_add(millis(time)),
            key.owner(),
            key.agent(),
            key.thread(),
            epoch.cast_signed()
        ])?;
    Ok(renewed > 0)
}

/// Ends the leases of all agents' runs, and returns the number. A lease on a thread without an agent is the pause before the next
/// webhook attempt, and goes on.
pub(super) fn end_leases(db: &Connection) -> Result<usize> {
    // In the past for any clock: that of the machine may have been set back.
    db.execute("UPDATE threads SET lease_ends = 0 WHERE lease_ends > 0 AND agent <> ''", [])
}

pub(super) fn trim(db: &Connection, key: &ThreadKey, upto: LogPosition, snapshot: &[u8]) -> Result<()> {
    let known = thread(db, key)?.filter(|thread| {
        thread.at.epoch == upto.epoch && thread.first < upto.seq && upto.seq <= thread.at.seq
    });
    let Some(SqliteThread { id, .. }) = known else { return Ok(()) };
    let seq = upto.seq.cast_signed();
    db.prepare_cached("DELETE FROM records WHERE thread = ? AND seq < ?")?.execute([id, seq])?;
    db.prepare_cached("UPDATE records SET record = ? WHERE thread = ? AND seq = ?")?
        .execute(params![snapshot, id, seq])?;
    db.prepare_cached("UPDATE threads SET first = ? WHERE id = ?")?.execute([seq, id])?;
    Ok(())
}

pub(super) fn delete(
    db: &Connection,
    key: &ThreadKey,
    at: Option<LogPosition>,
) -> Result<ChangedThread<bool>> {
    let known = thread(db, key)?.filter(|thread| at.is_none_or(|at| thread.at == at));
    let Some(SqliteThread { id, .. }) = known else { return ChangedThread::no(Ok(false)) };
    db.prepare_cached("DELETE FROM records WHERE thread = ?")?.execute([id])?;
    db.prepare_cached("DELETE FROM threads WHERE id = ?")?.execute([id])?;
    Ok(ChangedThread::yes(true))
}

pub(super) fn list(
    db: &Connection,
    owner: &str,
    agent: &str,
    after: Option<&ThreadEntry>,
    most: usize,
) -> Result<Vec<ThreadEntry>> {
    let (changed, thread) = after.map_or((i64::MAX, ""), |after| {
        (millis(after.changed.duration_since(UNIX_EPOCH).unwrap_or_default()), after.thread.as_str())
    });
    db.prepare_cached(
        "SELECT thread, changed, note FROM threads \
         WHERE owner = ?1 AND agent = ?2 AND changed <= ?3 AND (changed < ?3 OR thread > ?4) \
         ORDER BY changed DESC, thread LIMIT ?5",
    )?
    .query_map(params![owner, agent, changed, thread, limit(most)], thread_entry)?
    .collect()
}

fn thread_entry(row: &Row<'_>) -> Result<ThreadEntry> {
    let changed = Duration::from_millis(unsigned(row, 1)?);
    Ok(ThreadEntry::new(row.get::<_, String>(0)?, UNIX_EPOCH + changed, bytes(row, 2)?))
}

pub(super) fn entry(db: &Connection, key: &ThreadKey) -> Result<Option<ThreadEntry>> {
    db.prepare_cached(
        "SELECT thread, changed, note FROM threads WHERE owner = ? AND agent = ? AND thread = ?",
    )?
    .query_row([key.owner(), key.agent(), key.thread()], thread_entry)
    .optional()
}

pub(super) fn expired(db: &Connection, now: i64, most: usize) -> Result<Vec<ThreadKey>> {
    db.prepare_cached(
        "SELECT owner, agent, thread FROM threads WHERE lease_ends <= ? ORDER BY lease_ends, id LIMIT ?",
    )?
    .query_map([now, limit(most)], key)?
    .collect()
}

pub(super) fn idle(db: &Connection, before: i64, most: usize) -> Result<Vec<ThreadKey>> {
    db.prepare_cached(
        "SELECT owner, agent, thread FROM threads WHERE lease_ends IS NULL AND changed <= ? \
         ORDER BY changed, id LIMIT ?",
    )?
    .query_map([before, limit(most)], key)?
    .collect()
}
