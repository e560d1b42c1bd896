//! Messages to a run's owner on any server, sent as control records.

use std::time::Duration;

use super::claiming::ClaimError;
use super::fold::PAGE;
use super::note::ThreadNote;
use super::record::{ControlRecord, control_record, is_event, read_control};
use crate::protocol::RunId;
use crate::thread::{AppendError, LogAppend, LogHead, LogReadError, ThreadKey, ThreadLog};

/// A message to the open run's owner.
#[derive(Clone, Copy)]
pub(crate) enum OwnerMessage<'m> {
    /// Stop the run, if the predicate accepts the run id.
    Stop(&'m (dyn Fn(&RunId) -> bool + Send + Sync)),
    /// Stop the run if no client reads the run. The owner knows local clients; other servers report theirs.
    AskForReaders(&'m RunId),
    /// A client on another server reads the run. Responds to the request at a sequence number; one response is enough.
    ReaderFound(&'m RunId, u64),
}

/// Appends a message to the run's thread. Returns false if the run is over, and `None` if the caller must try again because the
/// store gave no clear result.
///
/// The owner may have extended the lease since the head was read, so a stop request leaves a whole lease of this server's length,
/// unless the lease is over: a shorter lease would end a healthy server's run.
pub(crate) async fn tell_owner(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    lease: Duration,
    message: OwnerMessage<'_>,
) -> Result<Option<bool>, ClaimError> {
    loop {
        let head = log.head(key).await.map_err(AppendError::from)?;
        let mut note = ThreadNote::read(&head.note).map_err(AppendError::from)?;
        let Some(open) = note.open().filter(|open| message.is_for(&open.id)) else { return Ok(Some(false)) };
        if message.is_delivered(log, key, &head, &note).await? {
            return Ok(Some(true));
        }
        let control = message.control(open.id.clone());
        let lease = match (head.lease, message) {
            (Some(left), OwnerMessage::Stop(_)) if !left.is_zero() => Some(left.max(lease)),
            // Questions come again and again: they must not keep the run of a lost server alive. An owner that is well has more left.
            (Some(left), OwnerMessage::AskForReaders(_) | OwnerMessage::ReaderFound(..))
                if left < lease / 2 =>
            {
                return Ok(Some(true));
            }
            (left, _) => left,
        };
        note.is_stopping |= matches!(message, OwnerMessage::Stop(_));
        let append = LogAppend {
            at: head.at,
            epoch: head.at.epoch,
            records: vec![control_record(&control)?],
            note: Some(note.to_bytes()),
            lease,
        };
        match log.append(key, append).await {
            // The run goes on meanwhile.
            Err(AppendError::Conflict { .. }) => {}
            // Told twice is as good as once.
            Err(AppendError::Unknown(_)) => return Ok(None),
            appended => return appended.map(|_| Some(true)).map_err(Into::into),
        }
    }
}

impl OwnerMessage<'_> {
    fn is_for(&self, open: &RunId) -> bool {
        match self {
            Self::Stop(wanted) => wanted(open),
            Self::AskForReaders(run) | Self::ReaderFound(run, _) => *run == open,
        }
    }

    fn control(&self, run: RunId) -> ControlRecord {
        match self {
            Self::Stop(_) => ControlRecord::CancelAsked { run },
            Self::AskForReaders(_) => ControlRecord::ReadersAsked { run },
            Self::ReaderFound(..) => ControlRecord::ReaderFound { run },
        }
    }

    /// True if the owner already has the message.
    async fn is_delivered(
        &self,
        log: &dyn ThreadLog,
        key: &ThreadKey,
        head: &LogHead,
        note: &ThreadNote,
    ) -> Result<bool, ClaimError> {
        let Self::ReaderFound(run, asked) = self else { return Ok(note.is_stopping) };
        let mut after = *asked;
        while after < head.at.seq {
            let page = match log.read(key, after, PAGE).await {
                Ok(page) => page,
                // The run has ended.
                Err(LogReadError::Trimmed { .. }) => return Ok(true),
                Err(LogReadError::Unavailable(error)) => return Err(AppendError::from(error).into()),
            };
            let is_answer = |record: &[u8]| {
                !is_event(record)
                    && matches!(read_control(record), Ok(ControlRecord::ReaderFound { run: read }) if read == **run)
            };
            let Some((last, _)) = page.records.last() else { break };
            if page.records.iter().any(|(_, record)| is_answer(record)) {
                return Ok(true);
            }
            after = *last;
        }
        Ok(false)
    }
}
