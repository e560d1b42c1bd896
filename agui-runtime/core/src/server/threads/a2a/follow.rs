//! Task updates as the run emits them.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};

use super::TaskDesk;
use super::failure::{OperationFailure, failure};
use super::load::{FOLDED, LoadedTask, take};
use crate::a2a::{A2aUpdate, ErrorCode, SubscribeToTask, TaskId, TaskView};
use crate::protocol::RunId;
use crate::receive::FrameIntake;
use crate::server::limits::readers::ReaderSlot;
use crate::server::threads::local_runs::RunReaderCount;
use crate::server::threads::readers::copies::{HeldCopy, NO_MEMORY};
use crate::server::threads::readers::pages::{ReaderKind, RecordBatch};
use crate::server::threads::readers::run_bounds::is_run_end;
use crate::server::threads::readers::tail::tail;
use crate::server::threads::refusal::unavailable;
use crate::server::threads::store::ServerThreads;
use crate::thread::{LogReadError, ThreadKey};

/// Updates, some at a time. It ends with the run, or with a failure.
pub(super) type TaskUpdateStream = BoxStream<'static, Result<Vec<A2aUpdate>, OperationFailure>>;

/// A followed task's memory, as a multiple of the record bytes: the task, and a copy for the client.
const FOLLOWED: usize = 2;

/// A followed task.
pub(super) struct FollowedTask {
    pub(super) view: TaskView,
    records: BoxStream<'static, Result<RecordBatch, LogReadError>>,
    intake: FrameIntake,
    /// The followed run; `None` for a task without a run, and after the run's end.
    run: Option<RunId>,
    threads: Arc<ServerThreads>,
    key: ThreadKey,
    /// Counts the client as the run's reader.
    reading: RunReaderCount,
    pub(super) share: ReaderShare,
}

/// A reader's share in the server's limits: a reader slot, and memory for copies. Both are `None` for the client that began the
/// run.
#[derive(Default)]
pub(super) struct ReaderShare {
    pub(super) place: Option<ReaderSlot>,
    pub(super) copy: Option<HeldCopy>,
}

impl TaskDesk {
    /// Handles `SubscribeToTask`: the task as stored, then updates.
    pub(super) async fn subscribe(
        &self,
        request: &SubscribeToTask,
        owner: &str,
    ) -> Result<TaskUpdateStream, OperationFailure> {
        let id = TaskId::read(&request.id)?;
        let loaded = self.load(owner, &id, None).await?;
        if loaded.view.state().is_terminal() {
            return Err(failure(
                ErrorCode::UnsupportedOperation,
                "the task has ended: get it with `GetTask`",
            ));
        }
        Ok(updates(self.follow(loaded)))
    }

    pub(super) fn follow(&self, loaded: LoadedTask) -> FollowedTask {
        let LoadedTask { key, view, next, after, epochs, held, .. } = loaded;
        let threads = Arc::clone(&self.threads);
        let reading = next.as_ref().map(|run| threads.local_runs.count_reader(&key, run)).unwrap_or_default();
        let near = (Arc::clone(&threads.live), Arc::clone(&threads.pages));
        let kind = if held.is_none() { ReaderKind::BeganRun } else { ReaderKind::Other };
        let records = tail(Arc::clone(&threads.log), near, key.clone(), after, epochs, kind).boxed();
        let mut copy = held;
        if let Some(copy) = &mut copy {
            // The pages of the past are gone.
            copy.shrink(copy.bytes() / FOLDED * FOLLOWED);
        }
        let share = ReaderShare { place: None, copy };
        FollowedTask { view, records, intake: FrameIntake::new(), run: next, threads, key, reading, share }
    }
}

impl FollowedTask {
    /// Folds the next records. Returns false after the run's end.
    pub(super) async fn advance(&mut self) -> Result<bool, OperationFailure> {
        let Some(run) = &self.run else { return Ok(false) };
        let next = tokio::select! {
            biased;
            next = self.records.next() => next,
            () = self.threads.until_stuck(&self.key) => {
                let lost = "the run is lost, and the store takes no records";
                return Err(OperationFailure::Http(unavailable(&lost)));
            }
        };
        let records = match next {
            Some(Ok(records)) => records,
            Some(Err(error)) => return Err(OperationFailure::Http(unavailable(&error))),
            None => return Ok(false),
        };
        for (seq, record) in records {
            // The task grows by the event, and so does the copy of it for the client.
            let share = &mut self.share.copy;
            if share.as_mut().is_some_and(|copy| !copy.grow(record.len().saturating_mul(FOLLOWED))) {
                return Err(OperationFailure::Http(unavailable(&NO_MEMORY)));
            }
            take(&mut self.view, seq, &record, &mut self.intake)?;
            if is_run_end(&record) {
                self.run = None;
                break;
            }
            if !self.reading.is_counted() {
                // A run whose server was lost may go on here.
                self.reading = self.threads.local_runs.count_reader(&self.key, run);
            }
        }
        Ok(true)
    }
}

/// Returns the task, then updates.
pub(super) fn updates(mut following: FollowedTask) -> TaskUpdateStream {
    let task = A2aUpdate::Task(following.view.task().clone());
    let first = stream::iter([Ok(vec![task])]);
    let rest = stream::unfold(Some(following), |following| async move {
        let mut following = following?;
        match following.advance().await {
            Ok(true) => Some((Ok(following.view.updates()), Some(following))),
            Ok(false) => None,
            Err(failure) => Some((Err(failure), None)),
        }
    });
    first.chain(rest).boxed()
}
