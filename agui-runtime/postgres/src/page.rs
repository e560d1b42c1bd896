//! Record pages, read in bounded chunks.

use agui_runtime_core::__leaf::ThreadDigest;
use agui_runtime_core::thread::{LogPage, LogPosition, LogReadError};

use super::link::PostgresLink;
use super::{get, statements, unsigned};

/// Reads the records after a sequence number, up to `bytes` bytes together.
pub(super) async fn read(
    link: &PostgresLink,
    key: &ThreadDigest,
    after: u64,
    bytes: usize,
) -> Result<LogPage, LogReadError> {
    let (mut page, mut thread) = (LogPage::default(), None);
    let mut room = bytes;
    loop {
        let last = if page.records.is_empty() { after } else { page.last() };
        let from = i64::try_from(last).unwrap_or(i64::MAX);
        let most = i64::try_from(room).unwrap_or(i64::MAX);
        let is_first = page.records.is_empty();
        let rows = link.query(&statements::READ, &[&&key[..], &from, &most, &is_first]).await?;
        let Some(row) = rows.first() else { return Ok(page) };
        let (id, first) = (get::<i64>(row, 0)?, unsigned(row, 2)?);
        if is_first && after != 0 && after < first {
            return Err(LogReadError::Trimmed { first });
        }
        // The thread was trimmed or deleted between two parts: what was read before belongs together.
        if *thread.get_or_insert(id) != id || (!is_first && last < first) {
            return Ok(page);
        }
        page.at = LogPosition { epoch: unsigned(row, 5)?, seq: unsigned(row, 1)? };
        let before = page.records.len();
        for row in &rows {
            let Some(seq) = get::<Option<i64>>(row, 3)? else { return Ok(page) };
            let record: Vec<u8> = get(row, 4)?;
            room = room.saturating_sub(record.len());
            page.records.push((seq.cast_unsigned(), record.into()));
        }
        if page.records.len() - before < statements::READ_MOST {
            return Ok(page);
        }
    }
}
