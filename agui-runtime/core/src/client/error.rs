//! Errors for runs that cannot be read to the end.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::resume_value::ResumeError;
#[cfg(feature = "dialect")]
use crate::dialect::snake_case::DialectError;
use crate::receive::ReceiveError;
use crate::wire::proto::FrameError;
use crate::wire::sse::RecordTooLong;

/// Why a run cannot be read to the end. `RUN_ERROR` is not among these reasons: a failed run has been read to the end
/// ([`Outcome::Failed`](super::RunOutcome::Failed)).
///
/// The session keeps everything received before the error.
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
    /// The address is not an http or https URL.
    #[error("`{url}` is not an http or https address: {reason}")]
    Url {
        /// The given address.
        url: String,
        /// The reason.
        reason: String,
    },
    /// A header cannot be sent.
    #[error("the header `{name}` cannot be sent: {reason}")]
    Header {
        /// The given name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A connection setting (connect timeout, redirects) cannot be applied to an agent over a caller's own HTTP client.
    #[error("the agent uses an HTTP client of the caller: change this setting on that client")]
    ForeignClient,
    /// Secure connections are not available on this machine.
    #[error("secure connections cannot be made: {0}")]
    Tls(#[source] Box<dyn Error + Send + Sync>),
    /// The server cannot be reached; it did not receive the request.
    #[error("the server cannot be reached: {0}")]
    Connect(#[source] Box<dyn Error + Send + Sync>),
    /// The connection broke, before or within the response.
    #[error("the connection broke: {0}")]
    Network(#[source] Box<dyn Error + Send + Sync>),
    /// An operation took too long.
    #[error("{waited_for} took longer than {limit:?}")]
    Timeout {
        /// The operation.
        waited_for: TimedOut,
        /// The operation's time limit.
        limit: Duration,
    },
    /// The server rejected the run before the start (AG-UI 1.0, section "HTTP exchange").
    #[error("the server answered with status {status}{}", Excerpt(.body))]
    Status {
        /// The status, 300 to 599; 300 to 399 only if the response names no other address.
        status: u16,
        /// The first bytes of the body.
        body: String,
        /// The body as JSON, if the server declares JSON and the body is complete.
        json: Option<Value>,
    },
    /// The server redirects to another address, or the response came from another one; the request is not sent again. See
    /// [`HttpAgent::same_origin_redirects`](super::HttpAgent::same_origin_redirects).
    #[error("the server answered with status {status} and redirects to `{location}`, which is not followed")]
    Redirect {
        /// The status, 300 to 399; the final response's status if a [caller's client](super::HttpAgent::with_client) followed the
        /// redirect.
        status: u16,
        /// The target as the server wrote the header: control characters escaped, at most 200 characters.
        location: String,
    },
    /// The server responded with success but without a stream.
    #[error("the server answered with status {status} and no stream")]
    NoStream {
        /// The status.
        status: u16,
    },
    /// A stream record is longer than this client's limit.
    #[error(transparent)]
    TooLong(#[from] RecordTooLong),
    /// A run's stream is longer than the limit ([`HttpAgent::max_run`](super::HttpAgent::max_run)).
    #[error("the stream of the run is longer than {limit} bytes")]
    RunTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// A binary stream is malformed: a frame is too long, or the last one is incomplete.
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[cfg(feature = "dialect")]
    /// A snake_case stream cannot be translated.
    #[error(transparent)]
    Dialect(DialectError),
    /// The received stream is refused. The client reports this, not the agent.
    #[error("the stream is refused: {0}")]
    Refused(#[from] ReceiveError),
    /// The resume entries for the open interrupts are incomplete or wrong; nothing was sent.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The agent calls frontend tools without end.
    #[error("the agent has called frontend tools in {limit} successive runs")]
    TooManyRuns {
        /// The largest number of runs in a turn.
        limit: usize,
    },
    /// The declared capabilities cannot be read. This error never prevents a run.
    #[error("the declared capabilities cannot be read: {0}")]
    Capabilities(#[source] serde_json::Error),
    /// The connection to a server that stores threads was lost, and all attempts to reconnect failed
    /// ([`HttpAgent::reconnect`](super::HttpAgent::reconnect)). The run may go on: [`Session::connect`](super::Session::connect)
    /// finds the run later.
    #[error("the connection was lost, and {attempts} attempts to make it again failed: {last}")]
    Lost {
        /// The number of attempts since the last progress.
        attempts: usize,
        /// The last attempt's error.
        #[source]
        last: Box<ClientError>,
    },
    /// The server has deleted the events after the last received one, and another run of the thread has begun:
    /// [`Session::connect`](super::Session::connect) gets the current conversation.
    #[error("the rest of run `{run}` is not kept any more, and another run of its thread has begun")]
    Superseded {
        /// The followed run's id.
        run: String,
    },
    /// The upstream stores no threads.
    #[error("this upstream stores no threads")]
    NoThreads,
    /// An error from an upstream outside this crate.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

impl ClientError {
    /// Wraps an error from your own [`Upstream`](super::Upstream) or [`Middleware`](super::Middleware).
    ///
    /// ```
    /// let error = agui_runtime::client::ClientError::other("the queue is closed");
    /// assert_eq!(error.to_string(), "the queue is closed");
    /// ```
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }

    /// Returns the server's error code, such as `thread_busy`.
    ///
    /// ```
    /// use agui_runtime::client::ClientError;
    /// use serde_json::json;
    ///
    /// let json = Some(json!({ "error": { "code": "thread_busy", "message": "another run goes on" } }));
    /// let busy = ClientError::Status { status: 409, body: String::new(), json };
    /// assert_eq!(busy.code(), Some("thread_busy"));
    /// ```
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Status { json: Some(json), .. } => json.pointer("/error/code")?.as_str(),
            Self::Lost { last, .. } => last.code(),
            _ => None,
        }
    }

    /// Returns the index of the resume entry whose interrupt is not open any more, if the server refused the request for that
    /// reason.
    pub(super) fn not_open(&self) -> Option<usize> {
        match self {
            Self::Status { json: Some(json), .. } if self.code() == Some("interrupt_not_open") => {
                let path = json.pointer("/error/path")?.as_str()?;
                path.strip_prefix("resume[")?.strip_suffix("].interruptId")?.parse().ok()
            }
            Self::Lost { last, .. } => last.not_open(),
            _ => None,
        }
    }

    /// True if the run has certainly not begun and may begin on another attempt; [`retry`](super::middleware::retry) repeats such
    /// requests.
    ///
    /// Either no connection was made, or the server says that the request was not accepted (RFC 9110, 15: 408, 429, 503; RFC 8470:
    /// 425). A gateway's 502 or 504 does not say if the server behind the gateway runs.
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

/// The operation that exceeded a time limit.
///
/// ```
/// use agui_runtime::client::TimedOut;
///
/// assert_eq!(TimedOut::NextBytes.to_string(), "the pause between bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimedOut {
    /// Connecting to the server.
    Connecting,
    /// Waiting for the next bytes.
    NextBytes,
    /// Waiting for the run's end.
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

/// The first characters of a body, for an error message.
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
