//! One run on a socket: request and response.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::header;
use memchr::memchr;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tower_service::Service as _;

use super::credit::FrameCredit;
use super::farewell;
use super::outbox::{FrameOutbox, SocketClosed};
use super::run_frames::RunFrames;
use crate::server::metrics::{self, TimeoutKind};
use crate::server::response::rejection::Rejection;
use crate::wire::websocket::Format;
use crate::wire::{proto, sse};

/// The maximum length in bytes of a response that is no stream.
const MAX_REFUSAL: usize = 64 * 1024;

/// Carries one run's frames to the client.
pub(super) struct RunChannel<'c> {
    pub(super) run_frames: &'c RunFrames,
    pub(super) out: &'c FrameOutbox,
    pub(super) credit: &'c FrameCredit,
    /// The time that a run waits for credit.
    pub(super) patience: Option<Duration>,
}

/// A longer event is sent as fragments; binary transport bytes go in frames of at most this length.
const PIECE: usize = 8 * 1024;

/// Why no more frames go to the client.
enum SendFailure {
    /// The socket is closed.
    Closed,
    /// The client gave no credit in time.
    Unread,
    /// The stream broke off within a message: nothing can follow on the socket.
    Torn,
}

impl From<SocketClosed> for SendFailure {
    fn from(_: SocketClosed) -> Self {
        Self::Closed
    }
}

impl RunChannel<'_> {
    /// Sends a run's request, streams the response, and returns the last frame. Dropping the future drops the run.
    pub(super) async fn run_request(
        &self,
        mut router: Router,
        request: Result<Box<Request>, Rejection>,
    ) -> Message {
        let response = match request {
            Ok(request) => match router.call(*request).await {
                Ok(response) => response,
                Err(never) => match never {},
            },
            Err(rejection) => rejection.into_response(),
        };
        let kind = response.headers().get(header::CONTENT_TYPE).map(http::HeaderValue::as_bytes);
        let kind = kind.filter(|_| response.status().is_success()).unwrap_or_default();
        if kind == sse::CONTENT_TYPE.as_bytes() {
            self.stream(response, Format::Json).await
        } else if kind == proto::CONTENT_TYPE.as_bytes() {
            self.stream(response, Format::Binary).await
        } else {
            self.refuse(response).await
        }
    }

    pub(super) async fn refuse(&self, response: Response) -> Message {
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, MAX_REFUSAL).await.unwrap_or_default();
        self.run_frames.refused(parts.status.as_u16(), &parts.headers, &body)
    }

    async fn stream(&self, response: Response, format: Format) -> Message {
        let (parts, body) = response.into_parts();
        let open = self.run_frames.open(parts.status.as_u16(), &parts.headers);
        let ended = match (self.send(open).await, format) {
            (Ok(()), Format::Json) => self.events(body).await,
            (Ok(()), Format::Binary) => self.chunks(body).await,
            (Err(unsent), _) => Err(unsent),
        };
        match ended {
            Ok(end) => end,
            Err(SendFailure::Closed) => self.run_frames.end(),
            Err(SendFailure::Torn) => torn(),
            Err(SendFailure::Unread) => {
                metrics::timed_out(TimeoutKind::Write);
                self.run_frames.broken("write_timeout", "the client gave no credit for the next frame")
            }
        }
    }

    /// Sends the events from a body of server-sent events.
    async fn events(&self, body: Body) -> Result<Message, SendFailure> {
        // The server wrote them, so they have no limit that it does not have.
        let mut decoder = sse::Decoder::new().max_record(usize::MAX);
        let mut body = body.into_data_stream();
        while let Some(chunk) = body.next().await {
            let Ok(mut chunk) = chunk else { return Ok(self.lost()) };
            if *chunk == *sse::KEEP_ALIVE {
                self.send(self.run_frames.heartbeat()).await?;
                continue;
            }
            loop {
                while let Ok(Some(record)) = decoder.next_record() {
                    let frame = self.run_frames.event(record.id.as_deref(), &record.data);
                    drop(record);
                    self.send_on_credit(frame).await?;
                }
                if let Some(long) = FragmentedEvent::from_start(decoder.unread()) {
                    let rest = self.long_event(long, &mut chunk, &mut body).await?;
                    decoder = sse::Decoder::new().max_record(usize::MAX);
                    decoder.push(&rest);
                } else if chunk.is_empty() {
                    break;
                } else {
                    decoder.push(&chunk.split_to(PIECE.min(chunk.len())));
                }
            }
        }
        Ok(self.run_frames.end())
    }

    /// Sends an event as one message's fragments: a run buffers nothing while the client reads nothing. Returns the bytes after
    /// the event's text.
    async fn long_event(
        &self,
        long: FragmentedEvent,
        chunk: &mut Bytes,
        body: &mut BodyDataStream,
    ) -> Result<Bytes, SendFailure> {
        self.credit().await?;
        let mut fragments = self.out.fragments().await?;
        fragments.send(self.run_frames.event_start(long.id.as_deref()).into(), false).await?;
        let mut piece = long.text;
        loop {
            if let Some(end) = memchr(b'\n', &piece) {
                let rest = piece.split_off(end);
                fragments.send(piece, false).await?;
                fragments.send(Bytes::from_static(b"}"), true).await?;
                return Ok(rest);
            }
            fragments.send(piece, false).await?;
            if chunk.is_empty() {
                *chunk = match body.next().await {
                    Some(Ok(chunk)) => chunk,
                    Some(Err(_)) | None => return Err(SendFailure::Torn),
                };
            }
            piece = chunk.split_to(PIECE.min(chunk.len()));
        }
    }

    /// Sends the bytes from a binary transport body.
    async fn chunks(&self, body: Body) -> Result<Message, SendFailure> {
        let mut body = body.into_data_stream();
        while let Some(chunk) = body.next().await {
            let Ok(chunk) = chunk else { return Ok(self.lost()) };
            for piece in chunk.chunks(PIECE) {
                self.send_on_credit(self.run_frames.bytes(piece)).await?;
            }
        }
        Ok(self.run_frames.end())
    }

    /// Returns the last frame for a stream that broke off.
    pub(super) fn lost(&self) -> Message {
        if self.out.is_torn() {
            return torn();
        }
        self.run_frames.broken("lost", "the stream broke off: the server cannot read or write its next event")
    }

    async fn send_on_credit(&self, frame: Message) -> Result<(), SendFailure> {
        self.credit().await?;
        self.send(frame).await
    }

    async fn credit(&self) -> Result<(), SendFailure> {
        match self.patience {
            Some(patience) => timeout(patience, self.credit.take()).await.map_err(|_| SendFailure::Unread)?,
            None => self.credit.take().await,
        }
        Ok(())
    }

    async fn send(&self, frame: Message) -> Result<(), SendFailure> {
        Ok(self.out.send(frame).await?)
    }
}

/// Returns the frame that closes a socket on which a message broke off.
fn torn() -> Message {
    Message::Close(Some(farewell::close_frame(CloseCode::Error, "an event broke off")))
}

/// The start of an event that is too long for one frame.
struct FragmentedEvent {
    id: Option<String>,
    text: Bytes,
}

impl FragmentedEvent {
    /// Parses the start of a record that the server wrote: an optional id line, then the text line.
    fn from_start(unread: &[u8]) -> Option<Self> {
        if unread.len() < PIECE {
            return None;
        }
        let (id, rest) = match unread.strip_prefix(b"id: ") {
            Some(line) => {
                let end = memchr(b'\n', line)?;
                (Some(String::from_utf8_lossy(line.get(..end)?).into_owned()), line.get(end + 1..)?)
            }
            None => (None, unread),
        };
        Some(Self { id, text: Bytes::copy_from_slice(rest.strip_prefix(b"data: ")?) })
    }
}
