//! What a client gets instead of a run: a status and a JSON body that says what to change.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use super::excerpt::excerpt;

/// A request that starts no run (AG-UI 1.0, section "HTTP exchange": rejected before start).
#[derive(Debug)]
pub(super) struct Rejection {
    status: StatusCode,
    error: Reason,
}

#[derive(Debug, Serialize)]
struct Reason {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Rejection {
    /// A message usually quotes the client, so a long one is cut.
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = excerpt(&message.into()).into_owned();
        Self { status, error: Reason { code, message, path: None, line: None, column: None } }
    }

    /// The same under another status.
    pub(super) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Where in the body's JSON: `messages[0].content`, or `.` for the whole.
    pub(super) fn at(mut self, path: impl Into<String>) -> Self {
        self.error.path = Some(excerpt(&path.into()).into_owned());
        self
    }

    /// Where in the body's text, both counted from one.
    pub(super) fn on(mut self, line: usize, column: usize) -> Self {
        self.error.line = Some(line);
        self.error.column = Some(column);
        self
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Answer<'a> {
            error: &'a Reason,
        }

        let Reason { code, message, path, .. } = &self.error;
        tracing::debug!(status = self.status.as_u16(), code, message, path, "request refused");
        json(self.status, &Answer { error: &self.error })
    }
}

/// A JSON answer. What has no JSON form is a defect of this program, so it is a 500.
pub(super) fn json<T: Serialize>(status: StatusCode, value: &T) -> Response {
    let (status, text) = match serde_json::to_string(value) {
        Ok(text) => (status, text),
        Err(error) => {
            tracing::error!(%error, "an answer has no JSON form");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                r#"{"error":{"code":"internal","message":"see the log"}}"#.to_owned(),
            )
        }
    };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
