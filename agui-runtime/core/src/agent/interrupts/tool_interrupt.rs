//! Interrupts that a running tool raises: the call is made again in a later run, with the user's input and the tool's own state.
//!
//! A run leaves no memory of its interrupts, so the state travels in the interrupt id, which is signed with the digest of the call: a
//! client can read the state, and cannot change it or move it to another call.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::inputs::untyped_input::UntypedInput;
use crate::emit::Emit;
use crate::kernel::{TypedInterruptId, typed_interrupt_id};
use crate::manifest::structure::check_whole;
use crate::protocol::{Interrupt, JsonObject, Metadata, ResumeEntry, ResumeStatus, ToolCallId};

/// The reason on the wire (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
const REASON: &str = "input_required";

/// The beginning of the reason in the interrupt's id; the call's state follows.
const ID_REASON: &str = "agui_input:";

/// Largest call state in bytes, because each page that loads the conversation gets the id.
const LARGEST: usize = 16 * 1024;

/// An interrupt that a running tool raises.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ToolInterrupt {
    /// A prompt for a person.
    pub message: String,
    /// The JSON Schema of the payload, an object's.
    pub response_schema: JsonObject,
    pub metadata: Metadata,
    /// Until when the tool can use the payload, in ISO 8601; `None` for as long as any interrupt.
    pub expires_at: Option<String>,
    /// The tool's own state for the next call.
    pub state: String,
}

/// The resume entry for a tool's interrupt.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResume {
    /// The state that the tool gave.
    pub state: String,
    pub payload: ToolResumePayload,
}

/// The payload of a resume entry for a tool's interrupt.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub enum ToolResumePayload {
    /// A value that fits the schema.
    Value(Value),
    /// The entry is resolved, without a payload or with `null`.
    Absent,
    /// The entry is cancelled.
    Cancelled,
}

/// A call's arguments, as JSON text.
pub(crate) struct CallTexts {
    /// As the conversation has them.
    pub(crate) sent: String,
    /// The arguments that the user approved instead.
    pub(crate) edited: Option<String>,
}

/// The content of an interrupt id's reason.
#[derive(Serialize, Deserialize)]
struct CallState {
    #[serde(rename = "s")]
    state: String,
    #[serde(rename = "q")]
    response_schema: Value,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    edited: Option<String>,
}

/// A resume entry with the call state of its interrupt.
#[derive(Debug)]
pub(super) struct ResumedToolInput {
    pub(super) resume: ToolResume,
    /// The arguments that the user approved before.
    pub(super) edited: Option<String>,
}

/// Leaves a call to the interrupt that its tool raised, and returns the interrupt.
///
/// # Errors
/// A text if the state is too large.
pub(crate) fn raise_tool_interrupt(
    emit: &Emit,
    (call, tool): (&ToolCallId, &str),
    texts: CallTexts,
    raised: ToolInterrupt,
) -> Result<Interrupt, String> {
    let ToolInterrupt { message, response_schema, metadata, expires_at, state } = raised;
    let CallTexts { sent, edited } = texts;
    let state = CallState { state, response_schema: Value::Object(response_schema.clone()), edited };
    let state = serde_json::to_vec(&state).map_err(|error| error.to_string())?;
    if state.len() > LARGEST {
        return Err(format!("the tool asks for input with {} bytes of state, above {LARGEST}", state.len()));
    }
    let reason = format!("{ID_REASON}{}", URL_SAFE_NO_PAD.encode(state));
    let (agent, nonce) = emit.act(|kernel, author| (kernel.agent_path(author), kernel.new_interrupt()));
    let mut interrupt = Interrupt::new(typed_interrupt_id(&reason, &agent, &nonce, call.as_str()), REASON);
    interrupt.message = Some(message);
    interrupt.tool_call_id = Some(call.clone());
    interrupt.response_schema = Some(response_schema);
    interrupt.expires_at = expires_at;
    interrupt.metadata = Some(metadata);
    emit.shared().consent().leave(call, tool, &sent);
    Ok(interrupt)
}

/// True if a tool raised the interrupt.
pub(super) fn is_of_tool(question: TypedInterruptId<'_>) -> bool {
    question.reason.starts_with(ID_REASON)
}

fn state_of(question: TypedInterruptId<'_>) -> Option<CallState> {
    let state = URL_SAFE_NO_PAD.decode(question.reason.strip_prefix(ID_REASON)?).ok()?;
    serde_json::from_slice(&state).ok()
}

/// Returns a tool's resume entry; `None` if the id has no state, as only an unsigned id can.
pub(super) fn resumed_tool_input(
    entry: &ResumeEntry,
    question: TypedInterruptId<'_>,
) -> Option<ResumedToolInput> {
    let CallState { state, edited, .. } = state_of(question)?;
    let payload = match (entry.status == ResumeStatus::Resolved, &entry.payload) {
        (false, _) => ToolResumePayload::Cancelled,
        (true, Some(payload)) if !payload.is_null() => ToolResumePayload::Value(Value::clone(payload)),
        (true, _) => ToolResumePayload::Absent,
    };
    Some(ResumedToolInput { resume: ToolResume { state, payload }, edited })
}

/// Checks a resume entry before the agent is called.
///
/// # Errors
/// Path and reason.
pub(super) fn check_tool_input(
    entry: &ResumeEntry,
    question: TypedInterruptId<'_>,
) -> Result<(), (String, String)> {
    let Some(state) = state_of(question) else { return Ok(()) };
    match resumed_tool_input(entry, question).map(|input| input.resume.payload) {
        Some(ToolResumePayload::Value(value)) => {
            check_whole(&state.response_schema, &value).map_err(|error| (error.path, error.message))
        }
        _ => Ok(()),
    }
}

/// Returns the agent's own resume entries for tools' interrupts.
pub(super) fn tool_inputs(
    input: &UntypedInput,
) -> impl Iterator<Item = (TypedInterruptId<'_>, ResumedToolInput)> {
    input
        .typed_entries()
        .filter(|(_, question)| is_of_tool(*question) && input.is_own(*question))
        .filter_map(|(entry, question)| Some((question, resumed_tool_input(entry, question)?)))
}
