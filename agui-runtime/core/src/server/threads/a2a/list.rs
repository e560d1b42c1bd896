//! A client's tasks, page by page.

use std::time::SystemTime;

use super::TaskDesk;
use super::failure::{OperationFailure, failure};
use super::load::with_history;
use crate::a2a::{A2aTask, ErrorCode, ListTasks, TaskId, TaskList};
use crate::date;
use crate::server::threads::conversation::note::ThreadNote;
use crate::thread::ThreadEntry;

/// The default and the maximum number of tasks on a page (A2A, section "List Tasks").
const USUAL: i32 = 50;
const MOST: i32 = 100;

/// The maximum number of conversations inspected, the last changed first, and the number in one read.
const CONTEXTS: usize = 1000;
const AT_ONCE: usize = 100;

/// The maximum bytes of records read for a page; a page that would need more is shorter.
const BYTES: u64 = 32 * 1024 * 1024;

/// A listed task, with the bytes of the records.
struct TaskEntry {
    id: TaskId,
    bytes: u64,
}

impl TaskDesk {
    /// Handles `ListTasks`.
    pub(super) async fn list(&self, request: &ListTasks, owner: &str) -> Result<TaskList, OperationFailure> {
        let size = request.page_size.unwrap_or(USUAL);
        if !(1..=MOST).contains(&size) {
            let message = format!("expected a `pageSize` from 1 to {MOST}");
            return Err(failure(ErrorCode::InvalidParams, message));
        }
        let since = match &request.status_timestamp_after {
            None => SystemTime::UNIX_EPOCH,
            Some(text) => date::read(text).ok_or_else(|| {
                failure(ErrorCode::InvalidParams, "expected a `statusTimestampAfter` as ISO 8601")
            })?,
        };
        let entries = self.entries(request, owner, since).await?;
        let (total, size) = (entries.len(), usize::try_from(size).unwrap_or_default());
        let begin = match request.page_token.as_str() {
            "" => 0,
            token => {
                let is_next = |entry: &TaskEntry| entry.id.to_string() == token;
                let place = entries.iter().position(is_next);
                place.ok_or_else(|| {
                    failure(ErrorCode::InvalidParams, "the `pageToken` names no page any more")
                })?
            }
        };
        let (mut tasks, mut read, mut next) = (Vec::new(), 0, String::new());
        let mut held = Vec::new();
        for (at, entry) in entries.into_iter().enumerate().skip(begin) {
            read += entry.bytes;
            // The first is read in any case, so that each page goes on.
            if tasks.len() == size || (read > BYTES && at > begin) {
                next = entry.id.to_string();
                break;
            }
            let mut loaded = match self.load(owner, &entry.id, None).await {
                Ok(loaded) => loaded,
                // It was trimmed.
                Err(OperationFailure::Protocol(_)) => continue,
                // The next page may have the memory for it.
                Err(OperationFailure::Http(refused)) if refused.code() == "server_busy" && at > begin => {
                    next = entry.id.to_string();
                    break;
                }
                Err(failure) => return Err(failure),
            };
            if request.status.is_some_and(|status| status != loaded.view.state())
                || changed_at(loaded.view.task()).is_some_and(|changed| changed < since)
            {
                continue;
            }
            let mut task = with_history(loaded.view.task().clone(), request.history_length)?;
            if !request.include_artifacts {
                task.artifacts = None;
            }
            tasks.push(task);
            held.push(loaded.held);
        }
        Ok(TaskList { page_size: tasks.len(), tasks, next_page_token: next, total_size: total })
    }

    /// Returns the tasks, the last changed first.
    async fn entries(
        &self,
        request: &ListTasks,
        owner: &str,
        since: SystemTime,
    ) -> Result<Vec<TaskEntry>, OperationFailure> {
        let context = request.context_id.as_str();
        if owner.is_empty() && context.is_empty() {
            // The list would have the tasks of all clients.
            let message = "the server does not know who asks, so it lists the tasks of a `contextId` alone";
            return Err(failure(ErrorCode::UnsupportedOperation, message));
        }
        if context.is_empty() {
            let mut entries = Vec::new();
            for listed in self.contexts(owner, since).await? {
                entries.extend(of_thread(&listed.thread, &ThreadNote::read(&listed.note)?));
            }
            return Ok(entries);
        }
        if request.status_timestamp_after.is_some() {
            let changed = self.contexts(owner, since).await?;
            let is_old = changed.iter().all(|listed| listed.thread != context);
            // A longer list may lack the context, which is then not left out.
            if is_old && changed.len() < CONTEXTS {
                return Ok(Vec::new());
            }
        }
        let head = self.threads.log.head(&self.key(owner, context)).await?;
        Ok(of_thread(context, &ThreadNote::read(&head.note)?))
    }

    /// Returns the conversations changed since a time, the last changed first.
    async fn contexts(&self, owner: &str, since: SystemTime) -> Result<Vec<ThreadEntry>, OperationFailure> {
        let mut contexts: Vec<ThreadEntry> = Vec::new();
        loop {
            let found = self.threads.log.list(owner, &self.path, contexts.last(), AT_ONCE).await?;
            let seen = contexts.len();
            contexts.extend(found.into_iter().take_while(|listed| listed.changed >= since));
            if contexts.len() < seen + AT_ONCE || contexts.len() >= CONTEXTS {
                return Ok(contexts);
            }
        }
    }
}

/// Returns when the status last changed, if known.
fn changed_at(task: &A2aTask) -> Option<SystemTime> {
    date::read(task.status.timestamp.as_deref()?)
}

/// Returns a thread's tasks, the last changed first.
fn of_thread(thread: &str, note: &ThreadNote) -> Vec<TaskEntry> {
    let mut entries: Vec<TaskEntry> = Vec::new();
    for run in note.runs.iter().rev() {
        let Some(id) = TaskId::of_run(thread, &run.id) else { continue };
        match entries.iter_mut().find(|entry| entry.id == id) {
            Some(entry) => entry.bytes += run.bytes,
            None => entries.push(TaskEntry { id, bytes: run.bytes }),
        }
    }
    entries
}
