//! Lost sessions, in the various forms in which servers report them.

use http::StatusCode;
use serde_json::Value;

/// Words for a lost session.
const GONE: [&str; 23] = [
    "not found",
    "notfound",
    "no valid",
    "not valid",
    "invalid",
    "expired",
    "unknown",
    "missing",
    "required",
    "terminated",
    "exist",
    "no such",
    "no longer",
    "closed",
    "gone",
    "no session",
    "without",
    "recogni",
    "stale",
    "inactive",
    "not active",
    "not provided",
    "lost",
];

/// Words for a session that has not begun, as a restarted server writes.
const NOT_BEGUN: [&str; 6] = [
    "not initialized",
    "not initialised",
    "not been initialized",
    "uninitialized",
    "before initialization",
    "initialize first",
];

/// A refused request: status, and JSON-RPC error or text.
#[derive(Debug, PartialEq)]
pub(super) struct McpRefusal {
    status: StatusCode,
    /// The JSON-RPC error code.
    code: Option<i64>,
    text: String,
    /// True if the error names the request's id.
    names_request: bool,
}

/// The reason for a refusal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RefusalCause {
    /// The session is gone, and the request had no effect.
    Session,
    /// Either the session is gone, or the error comes from what the request called.
    Unclear,
    Other,
}

impl McpRefusal {
    /// Reads a response body; `None` for a result.
    pub(super) fn from_response(status: StatusCode, body: &str, id: Option<&Value>) -> Option<Self> {
        let json = serde_json::from_str::<Value>(body).ok();
        let error = json.as_ref().and_then(|json| json.get("error")).filter(|error| !error.is_null());
        let code = error.and_then(|error| error.get("code")).and_then(Value::as_i64);
        let (text, names_request) = match (error, &json) {
            (Some(error), Some(json)) => {
                let message = error.get("message").or(Some(error)).and_then(Value::as_str);
                let text = message.map_or_else(|| error.to_string(), str::to_owned);
                (text, id.is_some() && json.get("id") == id)
            }
            _ if status.is_success() => return None,
            _ => (body.to_owned(), false),
        };
        Some(Self { status, code, text, names_request })
    }

    /// Classifies a refusal. `has_session` is true if the request named a session.
    pub(super) fn cause(&self, has_session: bool) -> RefusalCause {
        let tells = self.tells_of_session();
        match self.status.as_u16() {
            404 | 410 if !tells && !has_session => RefusalCause::Other,
            // MCP, section "Session Management": the status of a session that is gone.
            404 | 410 if self.code.is_none() || tells && !self.names_request => RefusalCause::Session,
            // An error about the request itself, which has an address of its own in some servers.
            404 | 410 if !tells && matches!(self.code, Some(-32700 | -32603..=-32601 | -32002)) => {
                RefusalCause::Other
            }
            404 | 410 if !self.names_request => RefusalCause::Session,
            404 | 410 => RefusalCause::Unclear,
            // Tools have sessions too, of databases and browsers, and their servers write them in any status and without an id.
            _ if tells => RefusalCause::Unclear,
            _ => RefusalCause::Other,
        }
    }

    /// True if another request, for whatever method, was refused in the same way.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.status, self.code, &self.text) == (other.status, other.code, &other.text)
    }

    fn tells_of_session(&self) -> bool {
        let text = self.text.to_lowercase();
        NOT_BEGUN.iter().any(|words| text.contains(words))
            || text.contains("session") && GONE.iter().any(|words| text.contains(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(status: u16, body: &str) -> RefusalCause {
        let status = StatusCode::from_u16(status).unwrap();
        McpRefusal::from_response(status, body, Some(&7.into()))
            .map_or(RefusalCause::Other, |refusal| refusal.cause(true))
    }

    fn error(id: &str, code: i32, text: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{text}"}}}}"#)
    }

    #[test]
    fn servers_say_in_many_forms_that_a_session_is_gone() {
        let surely = [
            (404, String::new()),
            (404, "Not Found".to_owned()),
            (404, error("null", -32001, "Session not found")),
            (404, error("\"server-error\"", -32600, "Session not found")),
            (410, String::new()),
        ];
        for (status, body) in surely {
            assert_eq!(cause(status, &body), RefusalCause::Session, "{status} {body}");
        }
        let compared = [
            (404, error("7", -32001, "Session not found")),
            (400, error("null", -32000, "Bad Request: No valid session ID provided")),
            (400, error("null", -32000, "Bad Request: Server not initialized")),
            (400, "Bad Request: session not found".to_owned()),
            (400, r#"{"error":"Invalid session"}"#.to_owned()),
            (400, error("7", -32600, "Session expired")),
            (401, "Unauthorized: Session not found".to_owned()),
            (200, error("null", -32001, "Session not found")),
        ];
        for (status, body) in compared {
            assert_eq!(cause(status, &body), RefusalCause::Unclear, "{status} {body}");
        }
    }

    #[test]
    fn an_answer_to_the_request_is_not_surely_about_the_session() {
        for (status, body) in [
            (200, error("7", -32000, "the login session has expired")),
            (500, error("7", -32603, "the session of the browser is gone")),
            (500, error("null", -32603, "the session of the database is lost")),
            (400, error("null", -32000, "the session of the database is lost")),
            (404, error("7", -32099, "no such page")),
        ] {
            assert_eq!(cause(status, &body), RefusalCause::Unclear, "{status} {body}");
        }
        for (status, body) in [
            (200, error("7", -32602, "the tool is unknown")),
            (200, error("7", -32001, "Request timed out")),
            (404, error("7", -32601, "Method not found")),
            (400, error("7", -32602, "wrong arguments")),
            (500, "oops".to_owned()),
            (200, r#"{"jsonrpc":"2.0","id":7,"result":{"text":"session not found"}}"#.to_owned()),
        ] {
            assert_eq!(cause(status, &body), RefusalCause::Other, "{status} {body}");
        }
    }
}
