//! A connection's runs, and their frames.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::body::Piece;
use crate::wire::websocket::{ServerFrame, ServerFrameKind};

/// A connection's runs; `None` after the connection's end.
#[derive(Clone)]
pub(super) struct Runs(pub(super) Arc<Mutex<Option<HashMap<String, Run>>>>);

pub(super) struct Run {
    pub(super) head: Option<oneshot::Sender<Head>>,
    pub(super) pieces: mpsc::Sender<Piece>,
}

/// The head of a response.
pub(super) enum Head {
    Stream { status: u16, headers: HeaderMap },
    Whole { status: u16, headers: HeaderMap, body: Bytes },
    NotRead,
}

impl Runs {
    pub(super) fn lock(&self) -> MutexGuard<'_, Option<HashMap<String, Run>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends all runs on a connection that the server closes. With the codes 1000 and 1001, the server has not read the runs that have
/// no response yet.
pub(super) fn close(code: Option<CloseCode>, runs: &Runs) {
    // Before their readers learn of it: a run that is sent again must not use this connection.
    let ended = runs.lock().take();
    if matches!(code, Some(CloseCode::Normal | CloseCode::Away)) {
        for head in ended.into_iter().flatten().filter_map(|(_, run)| run.head) {
            // Fails only if the run was left.
            let _ = head.send(Head::NotRead);
        }
    }
}

/// Signals to all runs that the server is alive.
pub(super) fn ping(runs: &Runs) {
    for run in runs.lock().iter().flat_map(HashMap::values) {
        sign_of_life(run);
    }
}

fn sign_of_life(run: &Run) {
    // A reader with something to read needs none, and its events need their places.
    if run.head.is_none() && run.pieces.capacity() == run.pieces.max_capacity() {
        let _ = run.pieces.try_send(Piece::Heartbeat);
    }
}

pub(super) fn take(frame: &ServerFrame<'_>, runs: &Runs) {
    match frame.kind {
        ServerFrameKind::Open => {
            let head = Head::Stream { status: frame.status.unwrap_or(200), headers: headers(frame) };
            begin(&frame.id, head, runs);
        }
        ServerFrameKind::Event => {
            if let Some(event) = frame.event {
                let id = frame.event_id.as_deref().filter(|id| !id.contains(['\n', '\r', '\0']));
                give(&frame.id, Piece::Bytes(record(id, event.get())), runs);
            }
        }
        ServerFrameKind::Heartbeat => {
            if let Some(run) = runs.lock().as_ref().and_then(|runs| runs.get(&*frame.id)) {
                sign_of_life(run);
            }
        }
        ServerFrameKind::End => end(frame, runs),
    }
}

fn begin(id: &str, head: Head, runs: &Runs) {
    let mut runs = runs.lock();
    let run = runs.as_mut().and_then(|runs| runs.get_mut(id));
    if let Some(sender) = run.and_then(|run| run.head.take()) {
        // Fails only if the run was left.
        let _ = sender.send(head);
    }
}

fn end(frame: &ServerFrame<'_>, runs: &Runs) {
    let Some(mut run) = runs.lock().as_mut().and_then(|runs| runs.remove(&*frame.id)) else { return };
    if let Some(status) = frame.status
        && let Some(head) = run.head.take()
    {
        let body = frame.body.map(|body| match serde_json::from_str::<String>(body.get()) {
            Ok(text) => Bytes::from(text),
            Err(_) => Bytes::copy_from_slice(body.get().as_bytes()),
        });
        let body = body.unwrap_or_default();
        let _ = head.send(Head::Whole { status, headers: headers(frame), body });
        return;
    }
    let last = match &frame.error {
        Some(error) => Piece::Broken(format!("{}: {}", error.code, error.message)),
        None => Piece::End,
    };
    // Its place is kept; without one, the stream counts as lost.
    let _ = run.pieces.try_send(last);
}

/// Hands a chunk to a run. A run whose server exceeds the window is lost.
pub(super) fn give(id: &str, piece: Piece, runs: &Runs) {
    let mut runs = runs.lock();
    let Some(runs) = runs.as_mut() else { return };
    if runs.get(id).is_some_and(|run| run.pieces.try_send(piece).is_err()) {
        drop(runs.remove(id));
    }
}

/// Formats an event as a server-sent event.
fn record(id: Option<&str>, event: &str) -> Bytes {
    let mut out = Vec::with_capacity(event.len() + 64);
    if let Some(id) = id {
        out.extend_from_slice(b"id: ");
        out.extend_from_slice(id.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(b"data: ");
    // In JSON, line breaks are white space.
    out.extend(event.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    out.extend_from_slice(b"\n\n");
    out.into()
}

fn headers(frame: &ServerFrame<'_>) -> HeaderMap {
    let pairs = frame.headers.iter().flatten();
    let known = pairs.filter_map(|(name, value)| {
        Some((HeaderName::try_from(&**name).ok()?, HeaderValue::try_from(&**value).ok()?))
    });
    known.collect()
}
