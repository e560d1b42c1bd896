//! The errors of runs that cannot be read to their end.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::answer::ResumeError;
#[cfg(feature = "dialect")]
use crate::dialect::snake_case::DialectError;
use crate::receive::ReceiveError;
use crate::wire::proto::FrameError;
use crate::wire::sse::RecordTooLong;

/// The reason why a run cannot be read to its end. `RUN_ERROR` is not one of them: a failed run has been
/// read to its end ([`Outcome::Failed`](super::Outcome::Failed)).
///
/// The session keeps everything that was received before the error.
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
        /// The address as it was given.
        url: String,
        /// The reason.
        reason: String,
    },
    /// A header cannot be sent.
    #[error("the header `{name}` cannot be sent: {reason}")]
    Header {
        /// The name as it was given.
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
    /// The connection broke, before the response or within it.
    #[error("the connection broke: {0}")]
    Network(#[source] Box<dyn Error + Send + Sync>),
    /// An operation took too long.
    #[error("{waited_for} took longer than {limit:?}")]
    Timeout {
        /// The operation.
        waited_for: TimedOut,
        /// Its time limit.
        limit: Duration,
    },
    /// The server rejected the run before it started (AG-UI 1.0, section "HTTP exchange").
    #[error("the server answered with status {status}{}", Excerpt(.body))]
    Status {
        /// The status, 300 to 599; 300 to 399 only if the response names no other address.
        status: u16,
        /// The beginning of the body.
        body: String,
        /// The body as JSON, if the server declares it as JSON and it is complete.
        json: Option<Value>,
    },
    /// The server redirects to another address, or the response came from one; the request is not sent
    /// again. See [`HttpAgent::same_origin_redirects`](super::HttpAgent::same_origin_redirects).
    #[error("the server answered with status {status} and redirects to `{location}`, which is not followed")]
    Redirect {
        /// The status, 300 to 399; that of the response if a [client of
        /// yours](super::HttpAgent::with_client) followed the redirect.
        status: u16,
        /// The target, as the server wrote it: control characters escaped, at most 200 characters.
        location: String,
    },
    /// The server answered with success but without a stream.
    #[error("the server answered with status {status} and no stream")]
    NoStream {
        /// The status.
        status: u16,
    },
    /// A record of the stream is longer than the limit of this client.
    #[error(transparent)]
    TooLong(#[from] RecordTooLong),
    /// The stream of a run is longer than its limit ([`HttpAgent::max_run`](super::HttpAgent::max_run)).
    #[error("the stream of the run is longer than {limit} bytes")]
    RunTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// A stream of the binary transport is malformed: a frame is too long, or the last one is incomplete.
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[cfg(feature = "dialect")]
    /// A stream of the snake_case dialect cannot be translated.
    #[error(transparent)]
    Dialect(DialectError),
    /// The received stream is refused. The client reports this, not the agent.
    #[error("the stream is refused: {0}")]
    Refused(#[from] ReceiveError),
    /// The answers to the open interrupts are incomplete or wrong; nothing was sent.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The agent calls frontend tools again and again.
    #[error("the agent has called frontend tools in {limit} successive runs")]
    TooManyRuns {
        /// The limit of runs.
        limit: usize,
    },
    /// A declaration of capabilities cannot be read. This never prevents a run.
    #[error("the declared capabilities cannot be read: {0}")]
    Capabilities(#[source] serde_json::Error),
    /// The connection to a server that stores threads was lost, and could not be made again
    /// ([`HttpAgent::reconnect`](super::HttpAgent::reconnect)). The run may go on:
    /// [`Session::connect`](super::Session::connect) finds it later.
    #[error("the connection was lost, and {attempts} attempts to make it again failed: {last}")]
    Lost {
        /// The number of attempts since the last progress.
        attempts: usize,
        /// The error of the last attempt.
        #[source]
        last: Box<ClientError>,
    },
    /// The events of the run after the last received one are not kept any more, and another run of the thread has
    /// begun: [`Session::connect`](super::Session::connect) gets the conversation as it is now.
    #[error("the rest of run `{run}` is not kept any more, and another run of its thread has begun")]
    Superseded {
        /// The id of the run that was followed.
        run: String,
    },
    /// The upstream stores no threads.
    #[error("this upstream stores no threads")]
    NoThreads,
    /// The error of an upstream outside of this crate.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

impl ClientError {
    /// Wraps an error of an [`Upstream`](super::Upstream) or a [`Middleware`](super::Middleware) of your
    /// own.
    ///
    /// ```
    /// let error = agui_runtime::client::ClientError::other("the queue is closed");
    /// assert_eq!(error.to_string(), "the queue is closed");
    /// ```
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }

    /// Returns the code by which a server says why it refused a request, such as `thread_busy`.
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

    /// Returns the place of the answer to a question that is not open any more, if the server refused the request for it.
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

    /// Returns true if the run has certainly not begun and may begin on another attempt.
    /// [`retry`](super::middleware::retry) uses this.
    ///
    /// That is so if no connection was made, and if the server says that it did not take the request (RFC
    /// 9110, 15: 408, 429, 503; RFC 8470: 425). A gateway's 502 or 504 does not say if the server behind it
    /// runs.
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

/// The operation that took too long.
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

/// The beginning of a body, for an error message.
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
