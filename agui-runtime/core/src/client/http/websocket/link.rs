//! One connection: the frames, and each run's beginning and end.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::{Response, ResponseBuilderExt as _, Upgraded, Url};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::body::{Piece, RunBody};
use super::runs::{self, Head, Run, Runs};
use super::socket::WINDOW;
use crate::client::ClientError;
use crate::wire::websocket::{ClientFrame, ClientFrameKind, ServerFrame};

/// The bytes of a frame besides the event.
const ENVELOPE: usize = 64 * 1024;

/// The number of bytes read and written at once.
const BUFFER: usize = 8 * 1024;

/// The response to a run frame.
pub(super) enum FrameOutcome {
    Response(Box<Response>),
    /// The server closed the socket without reading the frame.
    NotRead,
}

/// A connection. The task ends with the last clone.
#[derive(Clone)]
pub(super) struct Link {
    out: mpsc::UnboundedSender<Message>,
    runs: Runs,
    ids: Arc<AtomicU64>,
}

impl Link {
    pub(super) async fn new(socket: Upgraded, max_frame: usize) -> Self {
        let most = max_frame.saturating_add(ENVELOPE);
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER)
            .max_message_size(Some(most))
            .max_frame_size(Some(most));
        let (sink, frames) =
            WebSocketStream::from_raw_socket(socket, Role::Client, Some(config)).await.split();
        let (out, queue) = mpsc::unbounded_channel();
        let runs = Runs(Arc::new(Mutex::new(Some(HashMap::new()))));
        tokio::spawn({
            let runs = runs.clone();
            async move {
                let ended = tokio::select! {
                    ended = write(sink, queue) => ended,
                    ended = read(frames, &runs) => ended,
                };
                if let Err(error) = ended {
                    tracing::debug!(%error, "a WebSocket was lost");
                }
                // Dropping the runs tells their readers.
                drop(runs.lock().take());
            }
        });
        Self { out, runs, ids: Arc::default() }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.out.is_closed() && self.runs.lock().is_some()
    }

    /// Sends a run frame, and waits for the head of the response.
    pub(super) async fn open(
        &self,
        frame: impl FnOnce(&str) -> serde_json::Result<String>,
        url: &Url,
    ) -> Result<FrameOutcome, ClientError> {
        let id = self.ids.fetch_add(1, Ordering::Relaxed).to_string();
        let frame = frame(&id).map_err(ClientError::other)?;
        let (head, head_received) = oneshot::channel();
        // A heartbeat and the end have places of their own.
        let (pieces, received) = mpsc::channel(WINDOW as usize + 2);
        match self.runs.lock().as_mut() {
            Some(runs) => drop(runs.insert(id.clone(), Run { head: Some(head), pieces })),
            None => return Ok(FrameOutcome::NotRead),
        }
        let handle = Handle { id, out: self.out.clone(), runs: self.runs.clone() };
        // From here on, dropping the body leaves the run.
        let body = RunBody { pieces: received, handle, read: 0, has_ended: false };
        if self.out.send(Message::Text(frame.into())).is_err() {
            return Ok(FrameOutcome::NotRead);
        }
        let (status, headers, body) = match head_received.await {
            Ok(Head::Stream { status, headers }) => (status, headers, reqwest::Body::wrap(body)),
            Ok(Head::Whole { status, headers, body }) => (status, headers, body.into()),
            Ok(Head::NotRead) => return Ok(FrameOutcome::NotRead),
            Err(_) => {
                return Err(ClientError::Network("the WebSocket was lost before the run began".into()));
            }
        };
        let mut response = http::Response::builder()
            .status(status)
            .url(url.clone())
            .body(body)
            .map_err(ClientError::other)?;
        *response.headers_mut() = headers;
        Ok(FrameOutcome::Response(Box::new(response.into())))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("is_open", &self.is_open()).finish_non_exhaustive()
    }
}

/// The reader's handle for one run on a connection.
pub(super) struct Handle {
    id: String,
    out: mpsc::UnboundedSender<Message>,
    runs: Runs,
}

impl Handle {
    /// Lets the server send more frames.
    pub(super) fn give(&self, more: u32) {
        self.tell(ClientFrameKind::Window, Some(more));
    }

    /// Leaves the run.
    pub(super) fn cancel(&self) {
        let was_open = self.runs.lock().as_mut().is_some_and(|runs| runs.remove(&self.id).is_some());
        if was_open {
            self.tell(ClientFrameKind::Cancel, None);
        }
    }

    fn tell(&self, kind: ClientFrameKind, more: Option<u32>) {
        let frame = ClientFrame {
            kind,
            id: self.id.as_str().into(),
            path: None,
            format: None,
            last_event_id: None,
            headers: None,
            window: None,
            more,
            input: None,
        };
        if let Ok(frame) = serde_json::to_string(&frame) {
            // Fails only if the connection is lost, which ends the run too.
            let _ = self.out.send(Message::Text(frame.into()));
        }
    }
}

/// Sends frames until every sender is dropped.
async fn write(
    mut sink: SplitSink<WebSocketStream<Upgraded>, Message>,
    mut queue: mpsc::UnboundedReceiver<Message>,
) -> Result<(), Error> {
    while let Some(frame) = queue.recv().await {
        sink.send(frame).await?;
    }
    sink.send(Message::Close(None)).await
}

/// Hands frames to runs until the connection ends.
async fn read(mut frames: SplitStream<WebSocketStream<Upgraded>>, runs: &Runs) -> Result<(), Error> {
    while let Some(frame) = frames.next().await {
        match frame? {
            Message::Text(text) => {
                let Ok(frame) = serde_json::from_str::<ServerFrame<'_>>(&text) else {
                    tracing::warn!("a WebSocket is closed: a frame of the server cannot be read");
                    return Ok(());
                };
                runs::take(&frame, runs);
            }
            Message::Binary(bytes) => {
                let len = bytes.first().copied().map_or(0, usize::from);
                let id = bytes.get(1..1 + len).and_then(|id| std::str::from_utf8(id).ok());
                if let Some(id) = id {
                    runs::give(id, Piece::Bytes(bytes.slice(1 + len..)), runs);
                }
            }
            // The next polls answer it.
            Message::Close(close) => runs::close(close.map(|close| close.code), runs),
            Message::Ping(_) => runs::ping(runs),
            _ => {}
        }
    }
    Ok(())
}
