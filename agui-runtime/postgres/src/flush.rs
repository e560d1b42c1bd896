//! One node's appends: appends that wait during a statement go together in the next.

use std::collections::{HashSet, VecDeque};
use std::mem;
use std::sync::Arc;

use agui_runtime_core::__leaf::{ThreadDigest, ThreadWakes, list_digest, thread_digest};
use agui_runtime_core::thread::{AppendError, LogAppend, LogError, LogPosition, ThreadKey};
use futures_channel::oneshot;
use tokio::sync::mpsc;
use tokio_postgres::{Error, Row};

use super::failure::{did_not_happen, is_lost_race, log_error};
use super::link::{PostgresLink, Session, SqlParameter, await_response, silent};
use super::notices::NoticeSender;
use super::{get, millis, statements, unsigned};

/// The maximum number of appends in a statement, and the byte size after which no more are added.
const MOST: usize = 1_000;
const FULL: usize = 8 * 1024 * 1024;

/// The maximum number of attempts for a statement that loses races.
const ATTEMPTS: usize = 5;

type AppendOutcome = Result<LogPosition, AppendError>;

/// An append, and the future that waits for the append.
pub(super) struct PendingAppend {
    key: ThreadKey,
    digest: ThreadDigest,
    append: LogAppend,
    reply: Option<oneshot::Sender<AppendOutcome>>,
}

impl PendingAppend {
    pub(super) fn new(key: &ThreadKey, append: LogAppend) -> Self {
        Self { key: key.clone(), digest: thread_digest(key), append, reply: None }
    }

    fn end(&self) -> LogPosition {
        let LogAppend { at, epoch, records, .. } = &self.append;
        LogPosition { epoch: *epoch, seq: at.seq.wrapping_add(records.len() as u64) }
    }

    fn bytes(&self) -> usize {
        self.append.records.iter().map(bytes::Bytes::len).sum()
    }

    fn settle(self, outcome: AppendOutcome) {
        if let Some(reply) = self.reply {
            // The caller may have gone.
            let _ = reply.send(outcome);
        }
    }
}

/// The writer task, which ends after the last append, when the engine is dropped.
pub(super) struct AppendFlusher(mpsc::UnboundedSender<PendingAppend>);

impl AppendFlusher {
    pub(super) fn start(
        link: PostgresLink,
        wakes: Arc<ThreadWakes<ThreadDigest>>,
        notices: NoticeSender,
    ) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(serve(link, wakes, notices, receiver));
        Self(sender)
    }

    /// Appends. The append may happen even if the future is dropped.
    pub(super) async fn append(&self, mut pending: PendingAppend) -> AppendOutcome {
        let (reply, outcome) = oneshot::channel();
        pending.reply = Some(reply);
        if self.0.send(pending).is_err() {
            return Err(AppendError::Unavailable(ended()));
        }
        outcome.await.unwrap_or_else(|_| Err(AppendError::Unknown(ended())))
    }
}

fn ended() -> LogError {
    LogError::new("the task that writes has ended, with its executor")
}

async fn serve(
    link: PostgresLink,
    wakes: Arc<ThreadWakes<ThreadDigest>>,
    notices: NoticeSender,
    mut receiver: mpsc::UnboundedReceiver<PendingAppend>,
) {
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Some(first) = receiver.recv().await else { return };
            waiting.push_back(first);
        }
        while let Ok(more) = receiver.try_recv() {
            waiting.push_back(more);
        }
        let appended = flush(&link, next(&mut waiting), &wakes).await;
        if !appended.is_empty() {
            // Not in the transaction of the appends: the lock that a notice takes must not be held while the disk is
            // synced. Nor does the next flush wait for it.
            notices.send(appended);
        }
    }
}

/// Takes the next statement's appends: at most one per thread, in order.
fn next(waiting: &mut VecDeque<PendingAppend>) -> Vec<PendingAppend> {
    let (mut batch, mut threads, mut bytes) = (Vec::new(), HashSet::new(), 0);
    for pending in mem::take(waiting) {
        let size = pending.bytes();
        let fits = batch.is_empty() || (batch.len() < MOST && bytes + size <= FULL);
        if threads.insert(pending.digest) && fits {
            bytes += size;
            batch.push(pending);
        } else {
            waiting.push_back(pending);
        }
    }
    batch.sort_by_key(|pending| pending.digest);
    batch
}

/// Appends a batch, and returns the changed threads.
async fn flush(
    link: &PostgresLink,
    batch: Vec<PendingAppend>,
    wakes: &ThreadWakes<ThreadDigest>,
) -> Vec<ThreadDigest> {
    let (session, rows) = match write(link, &batch).await {
        Ok(written) => written,
        Err(failure) => {
            batch.into_iter().for_each(|pending| pending.settle(Err(failure.clone())));
            return Vec::new();
        }
    };
    let done: Result<HashSet<i64>, _> = rows.iter().map(|row| get(row, 0)).collect();
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            let failure = AppendError::Unknown(error);
            batch.into_iter().for_each(|pending| pending.settle(Err(failure.clone())));
            return Vec::new();
        }
    };
    let (mut appended, mut lost) = (Vec::new(), Vec::new());
    for (number, pending) in (1..).zip(batch) {
        if done.contains(&number) {
            wakes.wake(&pending.digest);
            appended.push(pending.digest);
            let end = pending.end();
            pending.settle(Ok(end));
        } else {
            lost.push(pending);
        }
    }
    report(&session, lost).await;
    appended
}

/// Reports to conflicting appends where their logs end.
async fn report(session: &Session, lost: Vec<PendingAppend>) {
    if lost.is_empty() {
        return;
    }
    match ends(session, lost.iter().map(|pending| &pending.digest[..]).collect()).await {
        Ok(ends) => {
            for pending in lost {
                let end = ends.iter().find(|(key, _)| *key == pending.digest);
                let at = end.map(|(_, at)| *at).unwrap_or_default();
                pending.settle(Err(AppendError::Conflict { at }));
            }
        }
        Err(error) => {
            lost.into_iter().for_each(|pending| pending.settle(Err(AppendError::Unavailable(error.clone()))));
        }
    }
}

async fn ends(session: &Session, keys: Vec<&[u8]>) -> Result<Vec<(Vec<u8>, LogPosition)>, LogError> {
    let parameters: [SqlParameter<'_>; 1] = [&keys];
    let rows = await_response(session.query(&statements::ENDS, &parameters));
    let rows = rows.await?.map_err(|error| log_error(&error))?;
    let end = |row| Ok((get(row, 0)?, LogPosition { epoch: unsigned(row, 1)?, seq: unsigned(row, 2)? }));
    rows.iter().map(end).collect()
}

/// Sends the statement, again if another node won a race.
async fn write(
    link: &PostgresLink,
    batch: &[PendingAppend],
) -> Result<(Arc<Session>, Vec<Row>), AppendError> {
    let mut session = link.session().await?;
    let mut attempt = 0;
    loop {
        attempt += 1;
        let Ok(answer) = await_response(send(&session, batch)).await else {
            link.abandon(&session).await;
            return Err(AppendError::Unknown(silent()));
        };
        match answer {
            Ok(rows) => return Ok((session, rows)),
            Err(error) if is_lost_race(&error) && attempt < ATTEMPTS => {}
            Err(error) if did_not_happen(&error) => {
                if attempt >= ATTEMPTS || !link.leave_if_wrong(&session, &error) {
                    return Err(log_error(&error).into());
                }
                session = link.session().await?;
            }
            Err(error) => return Err(AppendError::Unknown(log_error(&error))),
        }
    }
}

async fn send(session: &Session, batch: &[PendingAppend]) -> Result<Vec<Row>, Error> {
    fn column<'a, T>(batch: &'a [PendingAppend], value: impl Fn(&'a PendingAppend) -> T) -> Vec<T> {
        batch.iter().map(value).collect()
    }
    let keys = column(batch, |pending| &pending.digest[..]);
    let lists = column(batch, |pending| list_digest(pending.key.owner(), pending.key.agent()).to_vec());
    let owners = column(batch, |pending| pending.key.owner().as_bytes());
    let agents = column(batch, |pending| pending.key.agent().as_bytes());
    let threads = column(batch, |pending| pending.key.thread().as_bytes());
    let at_epochs = column(batch, |pending| pending.append.at.epoch.cast_signed());
    let at_seqs = column(batch, |pending| pending.append.at.seq.cast_signed());
    let epochs = column(batch, |pending| pending.append.epoch.cast_signed());
    let seqs = column(batch, |pending| pending.end().seq.cast_signed());
    let notes = column(batch, |pending| pending.append.note.as_deref());
    let leases = column(batch, |pending| pending.append.lease.map(millis));
    let (mut numbers, mut record_seqs, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for (number, pending) in (1_i64..).zip(batch) {
        for (offset, record) in (1..).zip(&pending.append.records) {
            numbers.push(number);
            record_seqs.push(pending.append.at.seq.wrapping_add(offset).cast_signed());
            records.push(&record[..]);
        }
    }
    session
        .query(
            &statements::APPEND,
            &[
                &keys,
                &lists,
                &owners,
                &agents,
                &threads,
                &at_epochs,
                &at_seqs,
                &epochs,
                &seqs,
                &notes,
                &leases,
                &numbers,
                &record_seqs,
                &records,
            ],
        )
        .await
}
