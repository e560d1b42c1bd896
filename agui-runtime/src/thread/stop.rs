//! The request to stop a run, wherever its owner is.

use std::time::Duration;

use super::append::{Append, AppendError};
use super::claiming::ClaimError;
use super::key::ThreadKey;
use super::log::ThreadLog;
use super::note::Note;
use super::record::{Control, of_control};
use crate::protocol::RunId;

/// Asks the owner of a thread to stop its run, wherever it is; or only once no client reads the run. Returns false if the run does not go on, and `None` if
/// the store gave no clear answer, and must be asked again.
///
/// The owner may have extended its lease since the head was read, so the lease is at least a whole one of this server, unless it is over: a
/// shorter one would end the run of a server that is well.
pub(crate) async fn ask_to_stop(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    lease: Duration,
    if_unread: bool,
    wanted: impl Fn(&RunId) -> bool,
) -> Result<Option<bool>, ClaimError> {
    loop {
        let head = log.head(key).await.map_err(AppendError::from)?;
        let note = Note::read(&head.note).map_err(AppendError::from)?;
        let Some(open) = note.open().filter(|open| wanted(&open.id)) else { return Ok(Some(false)) };
        if note.is_stopping || (if_unread && note.is_awaited) {
            return Ok(Some(true));
        }
        let record = of_control(&Control::CancelAsked { run: open.id.clone(), if_unread })?;
        let stopping =
            Note { is_stopping: !if_unread, is_awaited: if_unread || note.is_awaited, ..note.clone() };
        let append = Append {
            at: head.at,
            epoch: head.at.epoch,
            records: vec![record],
            note: Some(stopping.to_bytes()),
            lease: head.lease.map(|left| if left.is_zero() { left } else { left.max(lease) }),
        };
        match log.append(key, append).await {
            // The run goes on meanwhile.
            Err(AppendError::Conflict { .. }) => {}
            // Asked twice is as good as once.
            Err(AppendError::Unknown(_)) => return Ok(None),
            appended => return appended.map(|_| Some(true)).map_err(Into::into),
        }
    }
}
