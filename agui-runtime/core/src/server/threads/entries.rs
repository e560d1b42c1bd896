//! Requests for a caller's threads: the list, page by page, and one entry.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::extract::{Request, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use http::request::Parts;
use serde::Serialize;
use serde_json::{Map, Value};

use super::conversation::last_message::LastMessage;
use super::conversation::note::{ThreadDescription, ThreadNote};
use super::epoch::epoch_millis;
use super::refusal::{invalid_cursor, no_identity, no_thread};
use super::routes::{AgentThreads, parameter};
use crate::protocol::{InterruptId, RunId};
use crate::quoted::quoted;
use crate::server::limits::budget::ClientKey;
use crate::server::limits::held_text::held_json;
use crate::server::limits::readers::ReaderSlot;
use crate::server::response::rejection::{Rejection, unserializable};
use crate::thread::ThreadEntry;

/// The maximum number of threads in a response, and in one read from the store.
const MOST: usize = 100;

/// The maximum number of entries that one request reads to find threads that are not archived.
const MOST_READ: usize = 1_000;

/// The place of a request in a list of threads, and the content of its page.
#[derive(Default)]
pub(in crate::server) struct ThreadListQuery {
    pub(in crate::server) after: Option<String>,
    pub(in crate::server) limit: Option<String>,
    pub(in crate::server) with_archived: bool,
}

impl ThreadListQuery {
    /// Reads the query of a request, whose cursor has the given name.
    pub(in crate::server) fn from_request(parts: &Parts, cursor: &str) -> Self {
        let with_archived = parameter(&parts.uri, "includeArchived").is_some_and(|value| value == "true");
        Self { after: parameter(&parts.uri, cursor), limit: parameter(&parts.uri, "limit"), with_archived }
    }
}

/// A page of a list of threads.
pub(in crate::server) struct ThreadListPage {
    pub(in crate::server) threads: Vec<ListedThread>,
    pub(in crate::server) next: Option<String>,
    /// The reader's place, until the list is sent.
    pub(in crate::server) place: ReaderSlot,
}

#[derive(Serialize)]
struct ThreadListResponse {
    threads: Vec<ListedThread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A thread as lists show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::server) struct ListedThread {
    pub(in crate::server) thread_id: String,
    pub(in crate::server) title: Option<String>,
    pub(in crate::server) archived: bool,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
    last_message: Option<LastMessage>,
    /// Milliseconds since the Unix epoch.
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
    let query = ThreadListQuery::from_request(&parts, "after");
    let ThreadListPage { threads, next, place } = served.list(parts, query).await?;
    let text =
        serde_json::to_vec(&ThreadListResponse { threads, next }).map_err(|error| unserializable(&error))?;
    let copy = served.threads.readers.hold(text.len())?;
    Ok(held_json(text, (place, copy)))
}

impl AgentThreads {
    /// Lists the caller's threads, the last changed first.
    pub(in crate::server) async fn list(
        &self,
        parts: Parts,
        query: ThreadListQuery,
    ) -> Result<ThreadListPage, Rejection> {
        let ThreadListQuery { after, limit, with_archived } = query;
        let client = ClientKey::from_request(&parts, self.endpoint.settings.identity(&parts).as_deref());
        let owner = self.owner(parts)?;
        if owner.is_empty() {
            return Err(no_identity());
        }
        let place = self.threads.readers.admit(client, None)?;
        let mut after = after.as_deref().map(position).transpose()?;
        let most = match limit {
            Some(limit) => limit.parse().map_err(|_| invalid_limit())?,
            None => MOST,
        };
        let most = most.clamp(1, MOST);
        let (mut threads, mut read, mut page) = (Vec::new(), 0, most);
        let next = loop {
            let found = self.threads.log.list(&owner, &self.endpoint.path, after.as_ref(), page).await?;
            let is_last = found.len() < page;
            for entry in found {
                read += 1;
                let (listed, entry) = listed_thread(entry);
                if with_archived || !listed.archived {
                    threads.push(listed);
                }
                after = Some(entry);
                if threads.len() == most {
                    break;
                }
            }
            // A full page may be the last; the next page then is empty.
            if threads.len() == most || (!is_last && read >= MOST_READ) {
                break after.as_ref().map(cursor);
            }
            if is_last {
                break None;
            }
            page = MOST;
        };
        Ok(ThreadListPage { threads, next, place })
    }

    /// Returns the list entry for a thread of the caller.
    pub(in crate::server) async fn entry(
        &self,
        parts: Parts,
        thread: &str,
    ) -> Result<ListedThread, Rejection> {
        let client = ClientKey::from_request(&parts, self.endpoint.settings.identity(&parts).as_deref());
        let key = self.key(self.owner(parts)?, thread);
        let _place = self.threads.readers.admit(client, None)?;
        let entry = self.threads.log.entry(&key).await?.ok_or_else(no_thread)?;
        Ok(listed_thread(entry).0)
    }
}

fn invalid_limit() -> Rejection {
    Rejection::new(StatusCode::BAD_REQUEST, "invalid_limit", format!("expected a `limit` from 1 to {MOST}"))
}

/// Describes a thread, and returns the entry's place in the list. An unreadable thread does not hide the others.
fn listed_thread(entry: ThreadEntry) -> (ListedThread, ThreadEntry) {
    let ThreadEntry { thread, changed, note, .. } = entry;
    let read = ThreadNote::read(&note);
    if let Err(error) = &read {
        tracing::error!(error = %quoted(error), thread = %quoted(&thread), "a thread of a list cannot be read");
    }
    let unreadable = read.is_err();
    let mut note = read.unwrap_or_default();
    let place = ThreadEntry::new(thread.clone(), changed, "".into());
    let running = note.open().is_some();
    let last_run_id = note.runs.pop().map(|run| run.id);
    let ThreadDescription { title, archived, metadata, .. } = note.description;
    let listed = ListedThread {
        thread_id: thread,
        title,
        archived,
        metadata,
        last_message: note.last_message,
        created_at: epoch_millis(note.born),
        updated_at: millis(&place),
        running,
        open_interrupts: note.asked,
        last_run_id,
        unreadable,
    };
    (listed, place)
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
