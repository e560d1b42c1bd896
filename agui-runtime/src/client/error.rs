//! Why a run cannot be told to its end.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::session::ResumeError;
use crate::receive::ReceiveError;
use crate::wire::proto::FrameError;
use crate::wire::snake_case::DialectError;
use crate::wire::sse::RecordTooLong;

/// Why a run cannot be told to its end. `RUN_ERROR` is none of these: a run that fails has been told
/// ([`Outcome::Failed`](super::Outcome::Failed)).
///
/// What came before the error is in the session.
///
/// ```
/// use agui_runtime::client::{ClientError, HttpAgent};
///
/// let error = HttpAgent::new("example.org").unwrap_err();
/// assert!(matches!(error, ClientError::Url { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address is none that can be asked.
    #[error("`{url}` is not an http or https address: {reason}")]
    Url {
        /// As it was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A header cannot be sent.
    #[error("the header `{name}` cannot be sent: {reason}")]
    Header {
        /// Its name, as it was given.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A setting of connections is given to an agent over connections that are not its own: how long connecting may take, which
    /// redirects are followed.
    #[error("connections are set up where the HTTP client is built that the agent was given")]
    ForeignClient,
    /// This machine cannot make secure connections.
    #[error("secure connections cannot be made: {0}")]
    Tls(#[source] Box<dyn Error + Send + Sync>),
    /// The server cannot be reached: it has not seen the request.
    #[error("the server cannot be reached: {0}")]
    Connect(#[source] Box<dyn Error + Send + Sync>),
    /// The connection broke, before the answer or within it.
    #[error("the connection broke: {0}")]
    Network(#[source] Box<dyn Error + Send + Sync>),
    /// Something took too long.
    #[error("{waited_for} took longer than {limit:?}")]
    Timeout {
        /// What was waited for.
        waited_for: TimedOut,
        /// How long it may take.
        limit: Duration,
    },
    /// The server rejected the run before it started (AG-UI 1.0, section "HTTP exchange").
    #[error("the server answered with status {status}{}", Excerpt(.body))]
    Status {
        /// The status, 300 to 599; 300 to 399 only if the answer names no other address.
        status: u16,
        /// What the body begins with.
        body: String,
        /// The body as JSON, if the server says it is and it came whole.
        json: Option<Value>,
    },
    /// The server points to another address, or the answer came from one; the request is not sent again. See
    /// [`HttpAgent::same_origin_redirects`](super::HttpAgent::same_origin_redirects).
    #[error("the server answered with status {status} and points to `{location}`, which is not followed")]
    Redirect {
        /// The status, 300 to 399; that of the answer if a [client of yours](super::HttpAgent::with_client) followed.
        status: u16,
        /// The place, as the server wrote it: control characters escaped, at most 200 characters.
        location: String,
    },
    /// The server answered with success and nothing else.
    #[error("the server answered with status {status} and no stream")]
    NoStream {
        /// The status.
        status: u16,
    },
    /// A record of the stream is longer than this client reads.
    #[error(transparent)]
    TooLong(#[from] RecordTooLong),
    /// The stream of a run is longer than it may be ([`HttpAgent::max_run`](super::HttpAgent::max_run)).
    #[error("the stream of the run is longer than {limit} bytes")]
    RunTooLong {
        /// How many bytes it may have.
        limit: usize,
    },
    /// A stream of the binary transport is not one frame after the other: one is too long, or the last is cut off.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A stream of the snake_case dialect cannot be translated.
    #[error(transparent)]
    Dialect(DialectError),
    /// What came is refused: the consumer's verdict, not the producer's.
    #[error("the stream is refused: {0}")]
    Refused(#[from] ReceiveError),
    /// The answers to the open questions are not what they have to be; nothing was sent.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The agent calls frontend tools again and again.
    #[error("the agent has called frontend tools in {limit} runs, one after the other")]
    TooManyRuns {
        /// How many there may be.
        limit: usize,
    },
    /// A declaration of capabilities cannot be read. It never prevents a run.
    #[error("the declared capabilities cannot be read: {0}")]
    Capabilities(#[source] serde_json::Error),
    /// What an upstream that is none of this crate's says.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

impl ClientError {
    /// An error of an [`Upstream`](super::Upstream) or a [`Middleware`](super::Middleware) of your own.
    ///
    /// ```
    /// let error = agui_runtime::client::ClientError::other("the queue is closed");
    /// assert_eq!(error.to_string(), "the queue is closed");
    /// ```
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }

    /// Whether the run has certainly not begun and may begin if asked for again: what
    /// [`retry`](super::middleware::retry) goes by.
    ///
    /// So it is where nothing was connected, and where the server says that it did not take the request (RFC 9110, 15: 408, 429, 503;
    /// RFC 8470: 425). What a gateway says of the server behind it, 502 or 504, leaves open whether that one runs.
    ///
    /// ```
    /// use agui_runtime::client::ClientError;
    ///
    /// let busy = ClientError::Status { status: 503, body: String::new(), json: None };
    /// assert!(busy.is_worth_another_try());
    /// let gone = ClientError::Status { status: 504, body: String::new(), json: None };
    /// assert!(!gone.is_worth_another_try());
    /// ```
    #[must_use]
    pub fn is_worth_another_try(&self) -> bool {
        match self {
            Self::Connect(_) => true,
            Self::Timeout { waited_for, .. } => *waited_for == TimedOut::Connecting,
            Self::Status { status, .. } => matches!(status, 408 | 425 | 429 | 503),
            _ => false,
        }
    }
}

/// What a client waited for in vain.
///
/// ```
/// use agui_runtime::client::TimedOut;
///
/// assert_eq!(TimedOut::NextBytes.to_string(), "the pause between bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimedOut {
    /// A connection to the server.
    Connecting,
    /// The next bytes.
    NextBytes,
    /// The end of the run.
    WholeRun,
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connecting => "connecting",
            Self::NextBytes => "the pause between bytes",
            Self::WholeRun => "the run",
        })
    }
}

/// The beginning of a body, in an error message.
struct Excerpt<'b>(&'b str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        let text = self.0.trim();
        if text.is_empty() {
            return Ok(());
        }
        f.write_str(": ")?;
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, "{}…", text.get(..end).unwrap_or_default()),
            None => f.write_str(text),
        }
    }
}
