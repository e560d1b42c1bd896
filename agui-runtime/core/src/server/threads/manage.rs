//! Requests to stop a run, and to list and delete threads.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use http::request::Parts;
use serde::Serialize;

use super::conversation::fold::FoldedThread;
use super::conversation::note::ThreadNote;
use super::epoch::epoch_millis;
use super::readers::copies::HeldCopy;
use super::readers::join::follower;
use super::refusal::{invalid_cursor, no_identity, no_thread};
use super::routes::{AgentThreads, parameter, path_thread};
use crate::kernel::Peer;
use crate::protocol::{InterruptId, RunId};
use crate::quoted::quoted;
use crate::server::limits::budget::ClientKey;
use crate::server::limits::held_text::held_json;
use crate::server::limits::readers::ReaderSlot;
use crate::server::response::rejection::{Rejection, json_response, unserializable};
use crate::thread::ThreadEntry;

/// The maximum number of threads in a response.
const MOST: usize = 100;

#[derive(Serialize)]
struct StopResponse {
    stopped: bool,
}

/// Handles `POST path/stop/{thread}`.
pub(super) async fn stop(
    State(served): State<Arc<AgentThreads>>,
    thread: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Rejection> {
    let stopped = served.stop(request.into_parts().0, &path_thread(thread)?, None).await?;
    Ok(json_response(StatusCode::OK, &StopResponse { stopped }))
}

/// Handles `DELETE path/threads/{thread}`.
pub(super) async fn delete(
    State(served): State<Arc<AgentThreads>>,
    thread: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Rejection> {
    served.delete(request.into_parts().0, &path_thread(thread)?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

impl AgentThreads {
    /// Stops the caller's run on a thread; if `run` is given, only that run. Returns false if the run does not go on.
    pub(in crate::server) async fn stop(
        &self,
        parts: Parts,
        thread: &str,
        run: Option<&RunId>,
    ) -> Result<bool, Rejection> {
        let key = self.key(self.owner(parts)?, thread);
        self.threads.stop(&key, |open| run.is_none_or(|run| run == open)).await
    }

    /// Deletes a thread of the caller.
    pub(in crate::server) async fn delete(&self, parts: Parts, thread: &str) -> Result<(), Rejection> {
        let key = self.key(self.owner(parts)?, thread);
        if self.threads.log.delete(&key, None).await? { Ok(()) } else { Err(no_thread()) }
    }

    /// Lists the caller's threads, the last changed first.
    pub(in crate::server) async fn list(
        &self,
        parts: Parts,
        query: ThreadListQuery,
    ) -> Result<ThreadListPage, Rejection> {
        let ThreadListQuery { after, limit } = query;
        let client = ClientKey::from_request(&parts, self.endpoint.settings.identity(&parts).as_deref());
        let owner = self.owner(parts)?;
        if owner.is_empty() {
            return Err(no_identity());
        }
        let place = self.threads.readers.admit(client, None)?;
        let after = after.as_deref().map(position).transpose()?;
        let most = match limit {
            Some(limit) => limit.parse().map_err(|_| invalid_limit())?,
            None => MOST,
        };
        let most = most.clamp(1, MOST);
        let found = self.threads.log.list(&owner, &self.endpoint.path, after.as_ref(), most).await?;
        let next = found.last().filter(|_| found.len() == most).map(cursor);
        Ok(ThreadListPage { threads: found.into_iter().map(listed_thread).collect(), next, place })
    }

    /// Holds the memory of a text for a reader.
    pub(in crate::server) fn hold(&self, text: usize) -> Result<HeldCopy, Rejection> {
        self.threads.readers.hold(text)
    }

    /// Returns what a client of these routes speaks; see [`follower`].
    pub(in crate::server) fn follower(&self, declared: Option<&str>) -> Result<Peer, Rejection> {
        follower(declared, self.endpoint.settings.assumed_peer)
    }

    /// Reads a thread of the caller, up to the last event; `None` if the caller has no such thread.
    pub(in crate::server) async fn read(
        &self,
        parts: &Parts,
        thread: &str,
    ) -> Result<Option<ReadThread>, Rejection> {
        let client = ClientKey::from_request(parts, self.endpoint.settings.identity(parts).as_deref());
        let key = self.key(self.owner(parts.clone())?, thread);
        let slot = self.threads.readers.admit(client, Some(&key))?;
        loop {
            let (head, note) = self.threads.head(&key).await?;
            if note.runs.is_empty() {
                return Ok(None);
            }
            let mut fold = self.threads.fold_for_reader(&note).await?;
            let Some(thread) = self.threads.folded(&key, head, note).await? else { continue };
            // All that folding took: events for the client, and their text, come on top of the thread.
            let copy = fold.keep(usize::MAX);
            return Ok(Some(ReadThread { thread, place: ReaderPlace { _slot: slot, copy } }));
        }
    }
}

/// The place of a request in a list of threads, and the length of its page.
pub(in crate::server) struct ThreadListQuery {
    pub(in crate::server) after: Option<String>,
    pub(in crate::server) limit: Option<String>,
}

/// A page of a list of threads.
pub(in crate::server) struct ThreadListPage {
    pub(in crate::server) threads: Vec<ListedThread>,
    pub(in crate::server) next: Option<String>,
    /// The reader's place, until the list is sent.
    pub(in crate::server) place: ReaderSlot,
}

/// A thread that a reader has folded.
pub(in crate::server) struct ReadThread {
    pub(in crate::server) thread: FoldedThread,
    pub(in crate::server) place: ReaderPlace,
}

/// A reader's slot and memory.
pub(in crate::server) struct ReaderPlace {
    _slot: ReaderSlot,
    copy: Option<HeldCopy>,
}

impl ReaderPlace {
    /// Returns all memory but that of the text.
    pub(in crate::server) fn keep(mut self, text: usize) -> Self {
        if let Some(copy) = &mut self.copy {
            copy.shrink(text);
        }
        self
    }
}

#[derive(Serialize)]
struct ThreadListResponse {
    threads: Vec<ListedThread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::server) struct ListedThread {
    pub(in crate::server) thread_id: String,
    /// Milliseconds since the Unix epoch.
    #[serde(skip)]
    pub(in crate::server) created_at: u64,
    /// Milliseconds since the Unix epoch.
    pub(in crate::server) updated_at: u64,
    running: bool,
    open_interrupts: Vec<InterruptId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_run_id: Option<RunId>,
    /// True for a thread that this version cannot read, but can delete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unreadable: bool,
}

/// Handles `GET path/threads`.
pub(super) async fn list(
    State(served): State<Arc<AgentThreads>>,
    request: Request,
) -> Result<Response, Rejection> {
    let (parts, _) = request.into_parts();
    let (after, limit) = (parameter(&parts.uri, "after"), parameter(&parts.uri, "limit"));
    let ThreadListPage { threads, next, place } =
        served.list(parts, ThreadListQuery { after, limit }).await?;
    let text =
        serde_json::to_vec(&ThreadListResponse { threads, next }).map_err(|error| unserializable(&error))?;
    let copy = served.threads.readers.hold(text.len())?;
    Ok(held_json(text, (place, copy)))
}

fn invalid_limit() -> Rejection {
    Rejection::new(StatusCode::BAD_REQUEST, "invalid_limit", format!("expected a `limit` from 1 to {MOST}"))
}

/// Describes a thread. An unreadable thread does not hide the others.
fn listed_thread(listed: ThreadEntry) -> ListedThread {
    let read = ThreadNote::read(&listed.note);
    if let Err(error) = &read {
        tracing::error!(error = %quoted(error), thread = %quoted(&listed.thread), "a thread of a list cannot be read");
    }
    let unreadable = read.is_err();
    let mut note = read.unwrap_or_default();
    let updated_at = millis(&listed);
    let running = note.open().is_some();
    let last_run_id = note.runs.pop().map(|run| run.id);
    ListedThread {
        thread_id: listed.thread,
        created_at: epoch_millis(note.born),
        updated_at,
        running,
        open_interrupts: note.asked,
        last_run_id,
        unreadable,
    }
}

fn millis(listed: &ThreadEntry) -> u64 {
    let since = listed.changed.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the cursor after a list entry, as query-safe text.
fn cursor(listed: &ThreadEntry) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}.{}", millis(listed), listed.thread))
}

fn position(cursor: &str) -> Result<ThreadEntry, Rejection> {
    let read = || {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let (changed, thread) = text.split_once('.')?;
        let changed = UNIX_EPOCH.checked_add(std::time::Duration::from_millis(changed.parse().ok()?))?;
        Some(ThreadEntry::new(thread, changed, "".into()))
    };
    read().ok_or_else(|| invalid_cursor("the place in the list is malformed"))
}
