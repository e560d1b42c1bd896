//! The lines that the page reads, and the refusals that it shows.

use agui_runtime::protocol::Interrupt;
use axum::Json;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;
use serde_json::json;

/// A line of the answer to a run: an event with what was found about it, or the end.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Line<'a> {
    Event {
        /// Milliseconds since the request was sent; `None` in a recording.
        at: Option<f64>,
        /// The length of its JSON, or of its message in the binary transport.
        bytes: usize,
        /// The text as it was received, without what is beyond the limit.
        text: &'a str,
        is_cut: bool,
        findings: &'a [Finding],
        /// The events after the expansion of chunks and translation of older versions, if they differ.
        becomes: &'a [&'static str],
    },
    End {
        at: Option<f64>,
        outcome: Ending,
        error: Option<Finding>,
        /// The conversation as a client has it now: JSON text, because a page reads `1.0` as `1`.
        messages: String,
        state: String,
        questions: &'a [Interrupt],
    },
}

/// The way in which a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Ending {
    /// The run finished or failed.
    Complete,
    /// The stream stopped in a run.
    Truncated,
    /// The official client stops at one of its events.
    Refused,
    /// The agent could not be reached, or the connection broke.
    Broken,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Level {
    /// A client reads it, and leaves something out or translates it.
    Warning,
    /// Clients accept it, and the specification forbids it.
    Spec,
    /// The official client stops here.
    Refused,
    /// A client has stopped before it.
    Unread,
}

/// A remark of the verifier about an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    pub(crate) level: Level,
    pub(crate) code: String,
    pub(crate) text: String,
}

impl Line<'_> {
    /// Returns the line with its line break.
    pub(crate) fn bytes(&self) -> Bytes {
        let mut text = serde_json::to_vec(self).unwrap_or_else(|error| {
            let error = json!({ "kind": "end", "outcome": "broken", "messages": "[]", "state": "{}", "questions": [],
                "error": { "level": "refused", "code": "unwritable", "text": error.to_string() } });
            error.to_string().into_bytes()
        });
        text.push(b'\n');
        text.into()
    }
}

/// The answer to a request that starts nothing.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        (self.status, Json(body)).into_response()
    }
}
