//! The errors of an agent in both bindings, and what they say of a message and of a task.

use serde::Deserialize;
use serde_json::Value;

use crate::a2a::A2aError;
use crate::quoted::quoted;

/// The code of JSON-RPC and the status of HTTP for a message that the agent does not take.
const INVALID_PARAMS: i64 = -32602;
const BAD_REQUEST: i64 = 400;

/// The code of JSON-RPC for a server that cannot go on for now.
const INTERNAL: i64 = -32603;

/// An error as a body has it: beside the `result` of JSON-RPC, and alone in HTTP+JSON and with a status of failure.
#[derive(Deserialize)]
pub(super) struct Refusal {
    /// A number in A2A; the body of a status may have a text.
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: String,
}

impl Refusal {
    /// Reads the error of a body; `None` if it has none.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Failed {
            error: Refusal,
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

/// Returns the text of a refusal of the message as it is: another one may be taken.
pub(super) fn of_message(error: &A2aError) -> Option<&str> {
    match error {
        A2aError::Refused { code: INVALID_PARAMS | BAD_REQUEST, message, .. } => Some(message),
        _ => None,
    }
}

/// Returns true for a failure that says nothing of the task: the agent is away, busy, or broken for now.
pub(super) fn may_pass(error: &A2aError) -> bool {
    match error {
        A2aError::Connect { .. } | A2aError::Lost { .. } => true,
        A2aError::Refused { code, .. } => matches!(*code, 429 | 500..=599 | INTERNAL),
        _ => false,
    }
}
