//! Loads a task from the thread's log.

use super::TaskDesk;
use super::failure::{OperationFailure, failure, no_task};
use crate::a2a::{A2aTask, ErrorCode, TaskId, TaskView};
use crate::protocol::RunId;
use crate::receive::FrameIntake;
use crate::server::limits::readers::ReaderSlots;
use crate::server::threads::conversation::note::{NotedRun, ThreadNote};
use crate::server::threads::conversation::record::{ThreadRecord, read as read_record};
use crate::server::threads::readers::copies::HeldCopy;
use crate::server::threads::readers::tail::ThreadEpochs;
use crate::server::threads::refusal::unavailable;
use crate::thread::{LogReadError, ThreadKey};

/// The byte limit for one read.
const PAGE: usize = 256 * 1024;

/// A task's memory, as a multiple of the record bytes: a page of records, the task, and a copy for the client.
pub(super) const FOLDED: usize = 3;

/// A task up to a record in the thread.
pub(super) struct LoadedTask {
    pub(super) key: ThreadKey,
    pub(super) view: TaskView,
    /// The task's run that goes on, or that was not folded.
    pub(super) next: Option<RunId>,
    /// The last folded record, if the task goes on.
    pub(super) after: u64,
    pub(super) epochs: ThreadEpochs,
    /// The task's last run.
    pub(super) last: RunId,
    /// The share in the readers' budget: the task, and a copy for the client. `None` for the client that began the run: the run
    /// limits bound the memory.
    pub(super) held: Option<HeldCopy>,
}

/// The log changed during the read.
struct TrimmedTask;

impl TaskDesk {
    /// Folds a task for a reader, up to a run if one is given.
    pub(super) async fn load(
        &self,
        owner: &str,
        id: &TaskId,
        until: Option<&RunId>,
    ) -> Result<LoadedTask, OperationFailure> {
        self.load_within(Some(&self.threads.readers), owner, id, until).await
    }

    /// Folds a task for the client that began the run.
    pub(super) async fn load_for_run(
        &self,
        owner: &str,
        id: &TaskId,
        run: &RunId,
    ) -> Result<LoadedTask, OperationFailure> {
        self.load_within(None, owner, id, Some(run)).await
    }

    async fn load_within(
        &self,
        budget: Option<&ReaderSlots>,
        owner: &str,
        id: &TaskId,
        until: Option<&RunId>,
    ) -> Result<LoadedTask, OperationFailure> {
        let key = self.key(owner, id.thread());
        loop {
            let (head, note) = self.threads.head(&key).await?;
            let runs: Vec<&NotedRun> = note.runs.iter().filter(|run| id.has(&run.id)).collect();
            let Some(last) = runs.last().map(|run| run.id.clone()) else { return Err(no_task()) };
            let epochs = ThreadEpochs { born: note.born, epoch: head.at.epoch };
            let bytes = runs.iter().map(|run| run.bytes).sum::<u64>();
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_mul(FOLDED);
            let held = budget.map(|readers| readers.hold(bytes)).transpose()?;
            let (view, after) = (TaskView::new(id), head.at.seq);
            let mut loaded = LoadedTask { key: key.clone(), view, next: None, after, epochs, last, held };
            match self.fold(&mut loaded, &runs, (head.first, head.at.seq), until).await? {
                Ok(true) => {
                    end_unresumable(&mut loaded, &note);
                    return Ok(loaded);
                }
                Ok(false) => return Err(no_task()),
                // The next head says what is left.
                Err(TrimmedTask) => {}
            }
        }
    }

    /// Folds a task's runs. Returns false if all of the task's records were trimmed.
    async fn fold(
        &self,
        loaded: &mut LoadedTask,
        runs: &[&NotedRun],
        (first, end): (u64, u64),
        until: Option<&RunId>,
    ) -> Result<Result<bool, TrimmedTask>, OperationFailure> {
        let mut is_known = false;
        for run in runs {
            if until == Some(&run.id) {
                if run.first < first {
                    return Ok(Ok(false));
                }
                loaded.next = Some(run.id.clone());
                loaded.after = run.first;
                return Ok(Ok(true));
            }
            let last = run.last.unwrap_or(end);
            // The snapshot of a trimmed thread has the end of its last run.
            let from = match run.first < first {
                true if last == first => 0,
                true => continue,
                false => run.first,
            };
            match self.fold_run(loaded, from, last).await? {
                Ok(()) => is_known = true,
                Err(trimmed) => return Ok(Err(trimmed)),
            }
            if run.last.is_none() {
                loaded.next = Some(run.id.clone());
            }
        }
        Ok(Ok(is_known))
    }

    async fn fold_run(
        &self,
        loaded: &mut LoadedTask,
        mut after: u64,
        last: u64,
    ) -> Result<Result<(), TrimmedTask>, OperationFailure> {
        let mut intake = FrameIntake::new();
        while after < last {
            let page = match self.threads.log.read(&loaded.key, after, PAGE).await {
                Ok(page) => page,
                Err(LogReadError::Trimmed { .. }) => return Ok(Err(TrimmedTask)),
                Err(LogReadError::Unavailable(error)) => return Err(error.into()),
            };
            // None, if the thread was deleted; or a snapshot that was made since the head was read.
            if page.records.first().is_none_or(|(seq, _)| *seq > last) {
                return Ok(Err(TrimmedTask));
            }
            for (seq, record) in page.records.into_iter().take_while(|(seq, _)| *seq <= last) {
                take(&mut loaded.view, seq, &record, &mut intake)?;
                after = seq;
            }
        }
        Ok(Ok(()))
    }

    /// Returns the digest of the request that began a run; `None` if the thread does not have the run.
    pub(super) async fn request_of(
        &self,
        key: &ThreadKey,
        run: &RunId,
    ) -> Result<Option<String>, OperationFailure> {
        let head = self.threads.log.head(key).await?;
        Ok(ThreadNote::read(&head.note)?.run(run).map(|run| run.request.clone()))
    }
}

/// Ends a task whose interrupts are no longer open: the thread's next run that finishes closes all earlier interrupts, so no
/// resume would be accepted.
fn end_unresumable(loaded: &mut LoadedTask, note: &ThreadNote) {
    let questions = loaded.view.interrupts();
    let is_open = questions.iter().any(|question| note.asked.contains(&question.id));
    if loaded.next.is_none() && !questions.is_empty() && !is_open {
        loaded.view.close_interrupts();
    }
}

/// Folds a record into a task.
pub(super) fn take(
    view: &mut TaskView,
    seq: u64,
    record: &[u8],
    intake: &mut FrameIntake,
) -> Result<(), OperationFailure> {
    match read_record(seq, record, intake).map_err(|error| OperationFailure::Http(unavailable(&error)))? {
        Some(ThreadRecord::Event(event)) => Ok(view.take(event)?),
        Some(ThreadRecord::Control(control)) => {
            for event in control.into_snapshot() {
                view.take(event)?;
            }
            Ok(())
        }
        None => Ok(()),
    }
}

/// Shortens the history as the client requests (A2A, section "History Length Semantics").
pub(super) fn with_history(mut task: A2aTask, length: Option<i32>) -> Result<A2aTask, OperationFailure> {
    let Some(length) = length else { return Ok(task) };
    let Ok(length) = usize::try_from(length) else {
        return Err(failure(ErrorCode::InvalidParams, "expected a `historyLength` of at least 0"));
    };
    let beyond = task.history.len().saturating_sub(length);
    task.history.drain(..beyond);
    Ok(task)
}
