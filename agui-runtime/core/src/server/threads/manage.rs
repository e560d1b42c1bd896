//! Requests to stop a run, and to read, change and delete a thread.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;
use serde::Serialize;

use super::conversation::fold::FoldedThread;
use super::description::DescriptionChange;
use super::entries::ListedThread;
use super::readers::copies::HeldCopy;
use super::readers::join::follower;
use super::refusal::no_thread;
use super::routes::{AgentThreads, path_thread};
use crate::kernel::Peer;
use crate::protocol::RunId;
use crate::server::limits::budget::ClientKey;
use crate::server::limits::readers::ReaderSlot;
use crate::server::request::input_bytes::{check_content_type, read_body};
use crate::server::response::rejection::{Rejection, json_response};

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

/// Handles `GET path/threads/{thread}`.
pub(super) async fn entry(
    State(served): State<Arc<AgentThreads>>,
    thread: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Rejection> {
    let entry = served.entry(request.into_parts().0, &path_thread(thread)?).await?;
    Ok(json_response(StatusCode::OK, &entry))
}

/// The maximum size of a request to change a thread, in bytes: the limits of all members, each character escaped.
const CHANGE_BODY: usize = 32 * 1024;

/// Handles `PATCH path/threads/{thread}`.
pub(super) async fn change(
    State(served): State<Arc<AgentThreads>>,
    thread: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Rejection> {
    let thread = path_thread(thread)?;
    let (parts, body) = request.into_parts();
    check_content_type(&parts.headers)?;
    let settings = &served.endpoint.settings;
    let client = ClientKey::from_request(&parts, settings.identity(&parts).as_deref());
    let share = settings.run_slots.body(client);
    let (body, share) = read_body(&parts.headers, body, CHANGE_BODY, share).await?;
    let change = DescriptionChange::read(&body)?;
    drop(share);
    let entry = served.change(parts, &thread, &change).await?;
    Ok(json_response(StatusCode::OK, &entry))
}

impl AgentThreads {
    /// Changes the description of a caller's thread. Returns the changed entry.
    pub(in crate::server) async fn change(
        &self,
        parts: Parts,
        thread: &str,
        change: &DescriptionChange,
    ) -> Result<ListedThread, Rejection> {
        let key = self.key(self.owner(parts.clone())?, thread);
        self.threads.describe(&key, |description| change.apply(description)).await?;
        self.entry(parts, thread).await
    }

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
