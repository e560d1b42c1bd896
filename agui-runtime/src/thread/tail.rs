//! The records of a thread after one, as they come.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use futures::stream;

use super::fold::PAGE;
use super::log::{ReadError, ThreadKey, ThreadLog};

struct Tail {
    log: Arc<dyn ThreadLog>,
    key: ThreadKey,
    after: u64,
    page: VecDeque<(u64, Bytes)>,
}

/// Returns the records after a sequence number: those that exist, then those that are appended, without end. It ends
/// after an error.
pub(crate) fn tail(
    log: Arc<dyn ThreadLog>,
    key: ThreadKey,
    after: u64,
) -> impl Stream<Item = Result<(u64, Bytes), ReadError>> + Send {
    let tail = Tail { log, key, after, page: VecDeque::new() };
    stream::unfold(Some(tail), |tail| async move {
        let mut tail = tail?;
        match tail.next().await {
            Ok(record) => Some((Ok(record), Some(tail))),
            Err(error) => Some((Err(error), None)),
        }
    })
}

impl Tail {
    async fn next(&mut self) -> Result<(u64, Bytes), ReadError> {
        loop {
            if let Some(record) = self.page.pop_front() {
                self.after = record.0;
                return Ok(record);
            }
            let page = self.log.read(&self.key, self.after, PAGE).await?;
            if page.head < self.after {
                // The thread was deleted, and may have begun again.
                return Err(ReadError::Trimmed { first: page.head + 1 });
            }
            if page.records.is_empty() {
                self.log.changed(&self.key, self.after).await;
            }
            self.page = page.records.into();
        }
    }
}
