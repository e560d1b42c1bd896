//! The response to a run request: a rejection, or a stream.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use reqwest::Response;
use tokio::time::timeout;

use super::limit::Deadlines;
use super::reader::{Reader, Received};
use crate::causes::Causes;
use crate::client::{ClientError, TimedOut};
use crate::wire::sse::RecordTooLong;

/// The number of rejection bytes that are kept.
const MAX_REJECTION: usize = 64 << 10;

/// The time limit for reading a rejection.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the body's media type, unparsed.
fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Converts a connection error, without the address, which may contain secrets.
pub(super) fn network(error: reqwest::Error, connect: Option<Duration>) -> ClientError {
    let error = error.without_url();
    match connect {
        Some(limit) if error.is_connect() && error.is_timeout() => {
            ClientError::Timeout { waited_for: TimedOut::Connecting, limit }
        }
        _ if error.is_connect() => ClientError::Connect(Causes(&error).to_string().into()),
        _ => ClientError::Network(Causes(&error).to_string().into()),
    }
}

/// A response's stream.
pub(super) struct Body {
    /// `None` after the end of the response.
    response: Option<Response>,
    reader: Reader,
}

impl Body {
    /// Wraps a response, if the response is a stream.
    pub(super) async fn of(
        response: Response,
        deadlines: Deadlines,
        reader: impl FnOnce(&str) -> Reader,
    ) -> Result<Self, ClientError> {
        let status = response.status();
        if !status.is_success() {
            return Err(rejection(response, deadlines).await);
        }
        if status == StatusCode::NO_CONTENT || status == StatusCode::RESET_CONTENT {
            return Err(ClientError::NoStream { status: status.as_u16() });
        }
        let reader = reader(content_type(response.headers()));
        Ok(Self { response: Some(response), reader })
    }

    /// Returns the next complete frame; `None` at the response's end, which may cut a frame.
    pub(super) async fn next(
        &mut self,
        deadlines: Deadlines,
        room: &mut Room,
    ) -> Result<Option<Received>, ClientError> {
        loop {
            deadlines.check()?;
            let Some(response) = &mut self.response else { return Ok(None) };
            if let Some(received) = self.reader.next()? {
                return Ok(Some(received));
            }
            match deadlines.wait(response.chunk()).await? {
                Ok(Some(bytes)) => {
                    room.take(bytes.len())?;
                    self.reader.push(&bytes);
                }
                Ok(None) => self.response = None,
                Err(error) => return Err(network(error, None)),
            }
        }
    }

    /// Returns the next frame left after the response's end, even an incomplete one.
    pub(super) fn rest(&mut self) -> Result<Option<Received>, ClientError> {
        self.reader.finish()
    }
}

/// The number of bytes that a run may still send.
pub(super) struct Room {
    limit: Option<usize>,
    left: usize,
}

impl Room {
    pub(super) fn new(limit: Option<usize>) -> Self {
        Self { limit, left: limit.unwrap_or(usize::MAX) }
    }

    fn take(&mut self, bytes: usize) -> Result<(), ClientError> {
        match (self.left.checked_sub(bytes), self.limit) {
            (None, Some(limit)) => return Err(ClientError::RunTooLong { limit }),
            (left, _) => self.left = left.unwrap_or_default(),
        }
        Ok(())
    }
}

/// Reads a response that is not a stream, up to a limit; an error while reading does not hide the status.
pub(super) async fn rejection(mut response: Response, deadlines: Deadlines) -> ClientError {
    let status = response.status().as_u16();
    let is_json = content_type(response.headers()).contains("application/json");
    let mut bytes = Vec::new();
    let mut is_whole = false;
    let reading = async {
        while bytes.len() < MAX_REJECTION {
            match deadlines.wait(response.chunk()).await {
                Ok(Ok(Some(piece))) => bytes.extend_from_slice(&piece),
                Ok(Ok(None)) => {
                    is_whole = true;
                    break;
                }
                Ok(Err(_)) | Err(_) => break,
            }
        }
    };
    // The status is known even if the server keeps the connection open after its rejection.
    let _ = timeout(PATIENCE, reading).await;
    bytes.truncate(MAX_REJECTION);
    let json = if is_json && is_whole { serde_json::from_slice(&bytes).ok() } else { None };
    ClientError::Status { status, body: String::from_utf8_lossy(&bytes).into_owned(), json }
}

/// Reads the whole body of a response other than a stream.
pub(super) async fn whole(
    mut response: Response,
    deadlines: Deadlines,
    limit: usize,
) -> Result<Vec<u8>, ClientError> {
    let mut bytes = Vec::new();
    while let Some(piece) = deadlines.wait(response.chunk()).await?.map_err(|error| network(error, None))? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > limit {
            return Err(RecordTooLong { limit }.into());
        }
    }
    Ok(bytes)
}
