//! One run on a socket: its request, and the answer to it.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use http::header;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tower_service::Service as _;

use super::answer::Answers;
use super::credit::Credit;
use crate::server::metrics::{self, Timeout};
use crate::server::rejection::Rejection;
use crate::wire::websocket::Format;
use crate::wire::{proto, sse};

/// The longest answer that is not a stream.
const MAX_REFUSAL: usize = 64 * 1024;

/// The way of the frames of one run to its client.
pub(super) struct Channel<'c> {
    pub(super) answers: &'c Answers,
    pub(super) out: &'c mpsc::Sender<Message>,
    pub(super) credit: &'c Credit,
    /// The time that a run waits for credit.
    pub(super) patience: Option<Duration>,
}

/// The reason why no frame goes to the client any more.
enum Unsent {
    /// The socket is closed.
    Closed,
    /// The client gave no credit in time.
    Unread,
}

impl Channel<'_> {
    /// Makes the request of a run, sends its stream, and returns the last frame. Dropping this drops the run.
    pub(super) async fn answer(
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
        self.answers.refused(parts.status.as_u16(), &parts.headers, &body)
    }

    async fn stream(&self, response: Response, format: Format) -> Message {
        let (parts, body) = response.into_parts();
        let open = self.answers.open(parts.status.as_u16(), &parts.headers);
        let ended = match (self.send(open).await, format) {
            (Ok(()), Format::Json) => self.events(body).await,
            (Ok(()), Format::Binary) => self.chunks(body).await,
            (Err(unsent), _) => Err(unsent),
        };
        match ended {
            Ok(end) => end,
            Err(Unsent::Closed) => self.answers.end(),
            Err(Unsent::Unread) => {
                metrics::timed_out(Timeout::Write);
                self.answers.broken("write_timeout", "the client gave no credit for the next frame")
            }
        }
    }

    /// Sends the events of a body of server-sent events.
    async fn events(&self, body: Body) -> Result<Message, Unsent> {
        // The server wrote them, so they have no limit that it does not have.
        let mut decoder = sse::Decoder::new().max_record(usize::MAX);
        let mut body = body.into_data_stream();
        while let Some(chunk) = body.next().await {
            let Ok(chunk) = chunk else { return Ok(self.lost()) };
            if *chunk == *sse::KEEP_ALIVE {
                self.send(self.answers.heartbeat()).await?;
                continue;
            }
            decoder.push(&chunk);
            drop(chunk);
            while let Ok(Some(record)) = decoder.next_record() {
                let frame = self.answers.event(record.id.as_deref(), &record.data);
                drop(record);
                self.send_on_credit(frame).await?;
            }
        }
        Ok(self.answers.end())
    }

    /// Sends the bytes of a body of the binary transport.
    async fn chunks(&self, body: Body) -> Result<Message, Unsent> {
        let mut body = body.into_data_stream();
        while let Some(chunk) = body.next().await {
            let Ok(chunk) = chunk else { return Ok(self.lost()) };
            self.send_on_credit(self.answers.bytes(&chunk)).await?;
        }
        Ok(self.answers.end())
    }

    pub(super) fn lost(&self) -> Message {
        self.answers.broken("lost", "the stream broke off: the server cannot read or write its next event")
    }

    async fn send_on_credit(&self, frame: Message) -> Result<(), Unsent> {
        match self.patience {
            Some(patience) => timeout(patience, self.credit.take()).await.map_err(|_| Unsent::Unread)?,
            None => self.credit.take().await,
        }
        self.send(frame).await
    }

    async fn send(&self, frame: Message) -> Result<(), Unsent> {
        self.out.send(frame).await.map_err(|_| Unsent::Closed)
    }
}
