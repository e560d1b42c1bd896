//! Input that a server's tool needs from the user, as the interrupt of an AG-UI run (MCP 2026-07-28, section "Multi Round-Trip
//! Requests").
//!
//! The run ends with the interrupt. The next run makes the call again, with the user's input and the server's opaque state.

mod caution;
pub(super) mod held;
mod questions;

use rmcp::model::{ElicitRequestParams, ErrorCode, ErrorData, InputRequest, InputRequests, InputResponses};
use serde::{Deserialize, Serialize};

use agui_runtime_core::__leaf::{ToolInterrupt, ToolResume, ToolResumePayload};

pub(super) use questions::InputQuestions;

/// The number of times that a server may ask for input in one call, as many as other clients allow.
pub(super) const MOST_ROUNDS: u32 = 10;

/// The error code of `URLElicitationRequiredError`.
const ADDRESSES_FIRST: ErrorCode = ErrorCode(-32042);

/// The state of a call whose server waits for input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct InputState {
    /// The number of times that the server has asked.
    #[serde(rename = "n")]
    rounds: u32,
    pub(super) call: InputCall,
    /// The keys that the responses have, with true for forms.
    #[serde(rename = "k")]
    questions: Vec<(String, bool)>,
}

/// How the call continues.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum InputCall {
    /// The call is made again, with the server's opaque state.
    #[serde(rename = "a")]
    Again(Option<String>),
    /// The call still runs in this process, under this number.
    #[serde(rename = "h")]
    Held(String),
    /// The call is made again, as it was: the user has opened the addresses.
    #[serde(rename = "u")]
    Anew,
}

/// A resumed call.
#[derive(Debug)]
pub(super) struct ResumedInput {
    pub(super) rounds: u32,
    pub(super) call: InputCall,
    pub(super) responses: InputResponses,
    /// True if no response accepts.
    pub(super) is_refused: bool,
    /// True if the user abandoned the interrupt.
    pub(super) is_cancelled: bool,
}

impl ResumedInput {
    /// Reads a resume entry; `None` for a state in another form, which only an unsigned interrupt can have.
    pub(super) fn from_resume(resume: &ToolResume) -> Option<Self> {
        let InputState { rounds, call, questions } = serde_json::from_str(&resume.state).ok()?;
        let is_cancelled = resume.payload == ToolResumePayload::Cancelled;
        let responses = questions::responses(&questions, &resume.payload);
        let is_refused = !responses.values().any(|response| response["action"] == "accept");
        Some(Self { rounds, call, responses, is_refused, is_cancelled })
    }
}

/// Returns the interrupt for a server's questions.
///
/// # Errors
/// The reason why the user is not asked, as the end of a sentence that begins with the server.
pub(super) fn interrupt(
    server: &str,
    questions: &InputQuestions,
    call: InputCall,
    before: Option<&ResumedInput>,
) -> Result<ToolInterrupt, String> {
    if before.is_some_and(|before| before.is_cancelled) {
        return Err("asks again for input that the user did not give".to_owned());
    }
    let rounds = before.map_or(1, |before| before.rounds + 1);
    if rounds > MOST_ROUNDS {
        return Err(too_many_rounds());
    }
    let state = InputState { rounds, call, questions: questions.keys() };
    Ok(ToolInterrupt {
        message: questions.message(server),
        response_schema: questions.schema(),
        metadata: questions.metadata(server),
        expires_at: None,
        state: serde_json::to_string(&state).map_err(|error| format!("asks for input: {error}"))?,
    })
}

/// Returns the phrase for a server that asks too often in one call.
pub(super) fn too_many_rounds() -> String {
    format!("asks for input more than {MOST_ROUNDS} times in one call")
}

/// Reads a server's requests.
///
/// # Errors
/// As [`interrupt`].
pub(super) fn questions(requests: InputRequests) -> Result<InputQuestions, String> {
    let mut all = InputQuestions::default();
    for (key, request) in requests {
        match request {
            InputRequest::Elicitation(request) => all.add(key, request.params)?,
            InputRequest::CreateMessage(_) => {
                return Err("asks for a model's message, which this client does not offer".to_owned());
            }
            _ => return Err("asks for something that this client does not offer".to_owned()),
        }
    }
    Ok(all)
}

/// Reads the addresses that the user must open before a call (MCP 2025-11-25, the error `URLElicitationRequiredError`); `None` for
/// another error.
pub(super) fn addresses(error: &ErrorData) -> Option<InputQuestions> {
    let asked = error.data.as_ref().filter(|_| error.code == ADDRESSES_FIRST)?;
    let mut all = InputQuestions::default();
    for (at, request) in asked.get("elicitations")?.as_array()?.iter().enumerate() {
        let request = serde_json::from_value::<ElicitRequestParams>(request.clone()).ok()?;
        all.add(format!("address-{at}"), request).ok()?;
    }
    (!all.is_empty()).then_some(all)
}

/// Reads one request from the middle of a call.
///
/// # Errors
/// As [`interrupt`].
pub(super) fn question(request: ElicitRequestParams) -> Result<InputQuestions, String> {
    let mut all = InputQuestions::default();
    all.add("request".to_owned(), request)?;
    Ok(all)
}
