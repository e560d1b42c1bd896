//! An operation's result as a response: one document, or many as server-sent events.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use http::{HeaderValue, header};
use serde::Serialize;
use tokio::time::timeout;

use super::TaskDesk;
use super::binding::RequestBinding;
use super::call::{A2aCaller, OperationResult, TaskOperation};
use super::failure::OperationFailure;
use super::follow::{ReaderShare, TaskUpdateStream};
use crate::a2a::{A2aUpdate, ErrorCode, ProtocolError};
use crate::server::limits::held_text::held_text;
use crate::server::limits::readers::{ReaderSlot, ReaderSlots};
use crate::server::response::rejection::{Rejection, unserializable};
use crate::wire::sse;

impl TaskDesk {
    /// Responds with the requested operation's result; a wrong version is refused before parsing. A failure in the server itself
    /// is an HTTP error in each binding.
    pub(super) async fn operation_response(
        self: &Arc<Self>,
        binding: RequestBinding,
        version: Result<(), ProtocolError>,
        caller: A2aCaller,
        call: impl Future<Output = Result<TaskOperation, OperationFailure>>,
    ) -> Result<Response, Rejection> {
        let readers = &self.threads.readers;
        let client = caller.body.client().cloned();
        let answer = async {
            version.map_err(OperationFailure::Protocol)?;
            let call = call.await?;
            let reader = call.reads().then(|| readers.admit(client, call.thread(self, &caller).as_ref()));
            // Before anything is read for the client.
            let reader = reader.transpose()?;
            Ok((self.call(call, caller).await?, reader))
        };
        match answer.await {
            Ok((OperationResult::Sent(update, share), _)) => document(&binding, &update, readers, share),
            Ok((OperationResult::Task(task), place)) => {
                document(&binding, &task, readers, ReaderShare { place, copy: None })
            }
            Ok((OperationResult::List(list), place)) => {
                document(&binding, &list, readers, ReaderShare { place, copy: None })
            }
            Ok((OperationResult::Stream(updates), reader)) => {
                Ok(stream(binding, updates, self.settings.keep_alive, reader))
            }
            Err(OperationFailure::Protocol(error) | OperationFailure::Overtaken(error)) => {
                Ok(binding.error(&error))
            }
            Err(OperationFailure::Http(rejection)) => Err(rejection),
        }
    }
}

fn document<T: Serialize>(
    binding: &RequestBinding,
    result: &T,
    readers: &ReaderSlots,
    mut share: ReaderShare,
) -> Result<Response, Rejection> {
    let text = binding.write(result).map_err(|error| unserializable(&error))?;
    // A run that has happened is answered in any case. The task of a message was counted with a copy for the client.
    if share.place.is_some() && share.copy.is_none() {
        share.copy = Some(readers.hold(text.len())?);
    }
    let mut response = Response::new(Body::from(held_text(text, share)));
    let media = HeaderValue::from_static(binding.media_type());
    response.headers_mut().insert(header::CONTENT_TYPE, media);
    Ok(response)
}

/// A response's updates, and heartbeats in between.
struct TaskEventStream {
    binding: RequestBinding,
    /// `None` after a failure.
    updates: Option<TaskUpdateStream>,
    keep_alive: Option<Duration>,
    _reader: Option<ReaderSlot>,
}

fn stream(
    binding: RequestBinding,
    updates: TaskUpdateStream,
    keep_alive: Option<Duration>,
    reader: Option<ReaderSlot>,
) -> Response {
    let stream = TaskEventStream { binding, updates: Some(updates), keep_alive, _reader: reader };
    let pieces = stream::unfold(stream, |mut stream| async move {
        let piece = stream.next().await?;
        Some((Ok::<_, Infallible>(piece), stream))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(sse::CONTENT_TYPE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    // nginx holds a stream back until told otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

impl TaskEventStream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let updates = self.updates.as_mut()?;
            let next = match self.keep_alive {
                None => updates.next().await,
                Some(quiet) => match timeout(quiet, updates.next()).await {
                    Ok(next) => next,
                    Err(_) => return Some(Bytes::from_static(sse::KEEP_ALIVE)),
                },
            };
            let mut piece = Vec::new();
            match next? {
                Ok(updates) => {
                    for update in &updates {
                        self.write(update, &mut piece);
                    }
                }
                Err(failure) => {
                    self.updates = None;
                    let (name, error) = self.binding.last_event(&failed(failure));
                    piece.extend_from_slice(name.as_bytes());
                    write(error.to_string().as_bytes(), &mut piece);
                }
            }
            if !piece.is_empty() {
                return Some(piece.into());
            }
        }
    }

    fn write(&self, update: &A2aUpdate, piece: &mut Vec<u8>) {
        match self.binding.write(update) {
            Ok(text) => write(&text, piece),
            Err(error) => drop(unserializable(&error)),
        }
    }
}

/// Returns the error for a stream that breaks off: the task may go on.
fn failed(failure: OperationFailure) -> ProtocolError {
    match failure {
        OperationFailure::Protocol(error) | OperationFailure::Overtaken(error) => error,
        OperationFailure::Http(rejection) => ProtocolError::new(ErrorCode::Internal, rejection.to_string()),
    }
}

fn write(json: &[u8], piece: &mut Vec<u8>) {
    piece.extend_from_slice(b"data: ");
    piece.extend_from_slice(json);
    piece.extend_from_slice(b"\n\n");
}
