//! A secret that all servers on one store share.

use bytes::Bytes;

use crate::thread::{AppendError, LogAppend, LogError, LogPosition, LogReadError, ThreadKey, ThreadLog};

/// Returns the log's secret, and stores `drawn` if the log has none: among servers that begin at once, one appends first. Returns
/// `None` if the secret must be read again.
pub(crate) async fn secret(log: &dyn ThreadLog, drawn: &[u8], epoch: u64) -> Result<Option<Bytes>, LogError> {
    // No agent has an empty path.
    let key = ThreadKey::new("", "", "interrupt key");
    let page = log.read(&key, 0, usize::MAX).await.map_err(|error| match error {
        LogReadError::Unavailable(error) => error,
        trimmed @ LogReadError::Trimmed { .. } => LogError::new(trimmed),
    })?;
    if let Some((_, secret)) = page.records.into_iter().next() {
        return Ok(Some(secret));
    }
    let records = vec![Bytes::copy_from_slice(drawn)];
    let append =
        LogAppend { at: LogPosition::default(), epoch: epoch.max(1), records, note: None, lease: None };
    match log.append(&key, append).await {
        Ok(_) => Ok(Some(Bytes::copy_from_slice(drawn))),
        Err(AppendError::Conflict { .. } | AppendError::Unknown(_)) => Ok(None),
        Err(AppendError::Unavailable(error)) => Err(error),
        Err(error @ AppendError::TooLarge { .. }) => Err(LogError::new(error)),
    }
}
