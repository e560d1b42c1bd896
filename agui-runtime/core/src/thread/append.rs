//! An append to a log: records, condition, failures.

use std::time::Duration;

use bytes::Bytes;

use super::log_error::LogError;

/// The maximum record size in bytes: 32 MiB.
pub const LARGEST_RECORD: usize = 32 * 1024 * 1024;

/// A log's end: the last record, and the epoch that wrote that record.
///
/// ```
/// use agui_runtime::thread::LogPosition;
///
/// assert_eq!(LogPosition::default(), LogPosition { epoch: 0, seq: 0 }); // a thread that does not exist
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LogPosition {
    /// The number of the claim that may append. Each claim has a higher epoch than all earlier claims, also after the thread was
    /// deleted.
    pub epoch: u64,
    /// The last record's sequence number. A thread's first record has 1.
    pub seq: u64,
}

/// Records to append, and the condition.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::thread::{LogAppend, LogPosition};
///
/// let append = LogAppend {
///     at: LogPosition::default(),
///     epoch: 1,
///     records: vec!["first".into(), "second".into()],
///     note: Some("what a list of threads shows".into()),
///     lease: Some(Duration::from_secs(15)),
/// };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogAppend {
    /// The expected end; the append fails if the log ends elsewhere.
    pub at: LogPosition,
    /// The log's epoch after the append: `at.epoch`, or a higher epoch for a claim.
    pub epoch: u64,
    /// The records, in order. Their sequence numbers follow `at.seq`.
    pub records: Vec<Bytes>,
    /// Replaces the thread's note; `None` keeps the note.
    pub note: Option<Bytes>,
    /// The lease duration, from now; `None` leaves the thread without an owner.
    pub lease: Option<Duration>,
}

impl LogAppend {
    /// Refuses a record that is too large, and records that together exceed the engine's limit of `together` bytes. Each engine
    /// calls this before an append.
    ///
    /// # Errors
    ///
    /// [`AppendError::TooLarge`].
    pub fn check_size(&self, together: usize) -> Result<(), AppendError> {
        let sizes = self.records.iter().map(Bytes::len);
        if let Some(bytes) = sizes.clone().find(|bytes| *bytes > LARGEST_RECORD) {
            return Err(AppendError::TooLarge { bytes, most: LARGEST_RECORD });
        }
        let bytes = sizes.sum();
        if bytes > together {
            return Err(AppendError::TooLarge { bytes, most: together });
        }
        Ok(())
    }
}

/// An append that did not happen, or may not have.
///
/// ```
/// use agui_runtime::thread::{AppendError, LogPosition};
///
/// let conflict = AppendError::Conflict { at: LogPosition { epoch: 3, seq: 41 } };
/// assert_eq!(conflict.to_string(), "the log ends at record 41 of epoch 3");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The log ends elsewhere. Nothing was appended.
    #[error("the log ends at record {} of epoch {}", at.seq, at.epoch)]
    Conflict {
        /// The actual end.
        at: LogPosition,
    },
    /// A record exceeds [`LARGEST_RECORD`], or the records together exceed the engine's limit. Nothing was appended.
    #[error("a record of {bytes} bytes is larger than {most}")]
    TooLarge {
        /// The size in bytes: the record's, or the total.
        bytes: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// The acknowledgement was lost: the log has all records or none. Read the log to find out.
    #[error("it is unknown whether the records were appended: {0}")]
    Unknown(#[source] LogError),
    /// The log cannot be written. Nothing was appended.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}
