//! What a client gets instead of a run: a status and a JSON body that says what to change.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::MissingRequestValue;

/// A request that starts no run (AG-UI 1.0, section "HTTP exchange": rejected before start): a status, and the JSON body
/// `{"error": {"code", "message"}}`, to which the server adds the `path` of what is wrong in an input.
///
/// Make one where a layer, a handler or [`Server::agent_with`](crate::Server::agent_with) refuses a request. The code is for
/// programs and stays the same; the message is for people, and everybody on the way can read it.
///
/// ```
/// use agui_runtime::Rejection;
/// use axum::http::StatusCode;
///
/// let rejection = Rejection::new(StatusCode::PAYMENT_REQUIRED, "quota_used_up", "this month's runs are used up");
/// assert_eq!(rejection.to_string(), "this month's runs are used up");
/// ```
#[derive(Debug)]
#[must_use = "return it: `Err(rejection)`"]
pub struct Rejection(Box<Refusal>);

#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    reason: Reason,
}

#[derive(Debug, Serialize)]
struct Reason {
    code: Cow<'static, str>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Rejection {
    /// A rejection with a status of the 4xx or 5xx class.
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        let (code, message) = (code.into(), message.into());
        let reason = Reason { code, message, path: None, line: None, column: None };
        Self(Box::new(Refusal { status, headers: Vec::new(), reason }))
    }

    /// Status 401 with code `unauthenticated`: the client did not say who it is, or could not prove it. Asks for a bearer
    /// token, as RFC 9110, 15.5.2, wants an answer with this status to say what is asked for.
    ///
    /// ```
    /// let rejection = agui_runtime::Rejection::unauthenticated("the token has expired");
    /// assert_eq!((rejection.status().as_u16(), rejection.code()), (401, "unauthenticated"));
    /// ```
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", message)
            .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// Status 403 with code `forbidden`: it is known who asks, and they may not.
    ///
    /// ```
    /// let rejection = agui_runtime::Rejection::forbidden("only staff may talk to this agent");
    /// assert_eq!((rejection.status().as_u16(), rejection.code()), (403, "forbidden"));
    /// ```
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// Adds a header to the answer, such as `Retry-After`.
    ///
    /// ```
    /// use agui_runtime::Rejection;
    /// use axum::http::{HeaderValue, StatusCode, header};
    ///
    /// let busy = Rejection::new(StatusCode::TOO_MANY_REQUESTS, "busy", "too many runs at once")
    ///     .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"));
    /// ```
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.push((name, value));
        self
    }

    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable code, for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.0.reason.code
    }

    /// The same under another status.
    pub(super) fn with_status(mut self, status: StatusCode) -> Self {
        self.0.status = status;
        self
    }

    /// Where in the body's JSON: `messages[0].content`, or `.` for the whole.
    pub(super) fn at(mut self, path: impl Into<String>) -> Self {
        self.0.reason.path = Some(path.into());
        self
    }

    /// Where in the body's text, both counted from one.
    pub(super) fn on(mut self, line: usize, column: usize) -> Self {
        self.0.reason.line = Some(line);
        self.0.reason.column = Some(column);
        self
    }
}

impl From<MissingRequestValue> for Rejection {
    fn from(missing: MissingRequestValue) -> Self {
        let mut rejection = Self::unauthenticated(missing.to_string());
        rejection.0.reason.code = Cow::Borrowed(MissingRequestValue::CODE);
        rejection
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.reason.message)
    }
}

impl Error for Rejection {}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Answer<'a> {
            error: &'a Reason,
        }

        let Refusal { status, headers, reason } = *self.0;
        let Reason { code, message, path, .. } = &reason;
        tracing::debug!(status = status.as_u16(), %code, message, path, "request refused");
        let mut response = json(status, &Answer { error: &reason });
        for (name, value) in headers {
            response.headers_mut().append(name, value);
        }
        response
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
