//! An agent's errors in both bindings, and what they mean for a message and a task.

use serde::Deserialize;
use serde_json::Value;

use crate::a2a::A2aError;
use crate::quoted::quoted;

/// The JSON-RPC code and the HTTP status for a message that the agent does not accept.
const INVALID_PARAMS: i64 = -32602;
const BAD_REQUEST: i64 = 400;

/// The JSON-RPC code for a server that cannot go on for now.
const INTERNAL: i64 = -32603;

/// The error in a body: beside `result` in JSON-RPC, alone in HTTP+JSON and with an error status.
#[derive(Deserialize)]
pub(super) struct A2aRefusal {
    /// A number in A2A; the body behind an error status may have a text.
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: String,
}

impl A2aRefusal {
    /// Reads the error in a body; `None` without one.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Failed {
            error: A2aRefusal,
        }

        serde_json::from_slice(body).ok().map(|Failed { error }| error)
    }

    pub(super) fn number(&self) -> i64 {
        self.code.as_i64().unwrap_or_default()
    }

    pub(super) fn text(&self) -> String {
        match self.code.as_str() {
            Some(code) => quoted(format_args!("{code}: {}", self.message)).to_string(),
            None => quoted(&self.message).to_string(),
        }
    }
}

/// Returns the refusal text if the agent refused this message, and may accept another.
pub(super) fn of_message(error: &A2aError) -> Option<&str> {
    match error {
        A2aError::Refused { code: INVALID_PARAMS | BAD_REQUEST, message, .. } => Some(message),
        _ => None,
    }
}

/// True for a failure unrelated to the task: the agent is unreachable, busy, or temporarily broken.
pub(super) fn may_pass(error: &A2aError) -> bool {
    match error {
        A2aError::Connect { .. } | A2aError::Lost { .. } => true,
        A2aError::Refused { code, .. } => matches!(*code, 429 | 500..=599 | INTERNAL),
        _ => false,
    }
}
