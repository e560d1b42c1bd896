//! Responses of JSON-RPC: one as JSON, or many as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use tokio::time::timeout;

use super::failure::Failure;
use super::follow::Updates;
use crate::a2a::{ErrorCode, RpcError, RpcId, Update, rpc_result};
use crate::server::rejection::{self, Rejection};
use crate::wire::sse;

pub(super) fn error(id: &RpcId, error: &RpcError) -> Response {
    tracing::debug!(code = error.code.number(), "an A2A request is answered with an error");
    rejection::json(StatusCode::OK, &error.response(id))
}

pub(super) fn result<T: Serialize>(id: &RpcId, result: &T) -> Result<Response, Failure> {
    let text = rpc_result(id, result).map_err(|error| Failure::Http(no_json(&error)))?;
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

fn no_json(error: &serde_json::Error) -> Rejection {
    tracing::error!(%error, "an answer has no JSON form");
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "see the log")
}

/// The updates of a response, and what it says when there are none for some time.
struct Stream {
    id: RpcId,
    /// `None` after a failure.
    updates: Option<Updates>,
    keep_alive: Option<Duration>,
}

pub(super) fn stream(id: RpcId, updates: Updates, keep_alive: Option<Duration>) -> Response {
    let stream = Stream { id, updates: Some(updates), keep_alive };
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

impl Stream {
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
                    write(failed(failure).response(&self.id).to_string().as_bytes(), &mut piece);
                }
            }
            if !piece.is_empty() {
                return Some(piece.into());
            }
        }
    }

    fn write(&self, update: &Update, piece: &mut Vec<u8>) {
        match rpc_result(&self.id, update) {
            Ok(text) => write(&text, piece),
            Err(error) => drop(no_json(&error)),
        }
    }
}

/// Returns the error of a stream that breaks off: the task may go on.
fn failed(failure: Failure) -> RpcError {
    match failure {
        Failure::Rpc(error) => error,
        Failure::Http(rejection) => RpcError::new(ErrorCode::Internal, rejection.to_string()),
    }
}

fn write(json: &[u8], piece: &mut Vec<u8>) {
    piece.extend_from_slice(b"data: ");
    piece.extend_from_slice(json);
    piece.extend_from_slice(b"\n\n");
}
