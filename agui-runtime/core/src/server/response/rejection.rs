//! Response to a refused request: a status, and a JSON body that says what to change.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

use super::excerpt::excerpt;
use crate::agent::MissingRequestValue;
use crate::quoted::without_values;
use crate::server::metrics;

/// A request that starts no run (AG-UI 1.0, section "HTTP exchange": rejected before start): a status, and the JSON body
/// `{"error": {"code", "message"}}`, to which the server adds the fault's `path` in an input.
///
/// Make a rejection in a layer, a handler or [`Server::agent_with`](crate::Server::agent_with) to refuse a request. The code is
/// for programs and stays the same. The message is for users, and every proxy on the way can read the message. Messages and paths
/// often quote the client, so texts longer than 200 characters are cut, and control characters are escaped.
///
/// ```
/// use agui_runtime::http::Rejection;
/// use axum::http::StatusCode;
///
/// let rejection = Rejection::new(StatusCode::PAYMENT_REQUIRED, "quota_used_up", "this month's runs are used up");
/// assert_eq!(rejection.to_string(), "this month's runs are used up");
/// ```
#[derive(Debug)]
#[must_use = "return it: `Err(rejection)`"]
pub struct Rejection(Box<RejectionDetails>);

#[derive(Debug)]
struct RejectionDetails {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    reason: RejectionReason,
}

#[derive(Debug, Serialize)]
struct RejectionReason {
    code: Cow<'static, str>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The message without client values, which are found before the message is cut.
    #[serde(skip)]
    logged: String,
}

impl Rejection {
    /// Returns a rejection with a 4xx or 5xx status; see [`Rejection`] for an example.
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        let (code, whole) = (code.into(), message.into());
        let (message, logged) = (excerpt(&whole).into_owned(), excerpt(&without_values(&whole)).into_owned());
        let reason = RejectionReason { code, message, path: None, line: None, column: None, logged };
        Self(Box::new(RejectionDetails { status, headers: Vec::new(), reason }))
    }

    /// Returns status 401 with code `unauthenticated`: the client did not prove its identity. The response requests a bearer
    /// token, because RFC 9110, 15.5.2, requires a challenge with this status.
    ///
    /// ```
    /// let rejection = agui_runtime::http::Rejection::unauthenticated("the token has expired");
    /// assert_eq!((rejection.status().as_u16(), rejection.code()), (401, "unauthenticated"));
    /// ```
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", message)
            .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// Returns status 403 with code `forbidden`: the client's identity is known, but lacks the permission.
    ///
    /// ```
    /// let rejection = agui_runtime::http::Rejection::forbidden("only staff may talk to this agent");
    /// assert_eq!((rejection.status().as_u16(), rejection.code()), (403, "forbidden"));
    /// ```
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// Adds a header to the response, such as `Retry-After`.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.push((name, value));
        self
    }

    /// Returns the response status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// Returns the stable code, for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.0.reason.code
    }

    /// Returns the same rejection with another status.
    #[cfg(feature = "dialect")]
    pub(in crate::server) fn with_status(mut self, status: StatusCode) -> Self {
        self.0.status = status;
        self
    }

    /// Sets the number of seconds after which a retry makes sense.
    pub(in crate::server) fn retry_after(self, seconds: u32) -> Self {
        self.with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Sets the path in the body's JSON: `messages[0].content`, or `.` for the whole.
    pub(in crate::server) fn at(mut self, path: impl Into<String>) -> Self {
        self.0.reason.path = Some(excerpt(&path.into()).into_owned());
        self
    }

    /// Sets the location in the body's text, line and column counted from one.
    pub(in crate::server) fn on(mut self, line: usize, column: usize) -> Self {
        self.0.reason.line = Some(line);
        self.0.reason.column = Some(column);
        self
    }
}

impl From<MissingRequestValue> for Rejection {
    /// The response does not name the type; the log does.
    fn from(missing: MissingRequestValue) -> Self {
        tracing::warn!(code = MissingRequestValue::CODE, missing = missing.type_name(), "request refused");
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
        struct RejectionBody<'a> {
            error: &'a RejectionReason,
        }

        let RejectionDetails { status, headers, reason } = *self.0;
        let RejectionReason { code, logged, path, .. } = &reason;
        tracing::debug!(status = status.as_u16(), %code, message = logged, path, "request refused");
        metrics::refused(code);
        let mut response = json_response(status, &RejectionBody { error: &reason });
        for (name, value) in headers {
            response.headers_mut().append(name, value);
        }
        response
    }
}

/// Returns the rejection for a response without a JSON form, which is a defect in this program.
pub(in crate::server) fn unserializable(error: &serde_json::Error) -> Rejection {
    tracing::error!(%error, "an answer has no JSON form");
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "see the log")
}

/// Returns a JSON response. A value without a JSON form is a defect in this program, so the status becomes 500.
pub(in crate::server) fn json_response<T: Serialize>(status: StatusCode, value: &T) -> Response {
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
