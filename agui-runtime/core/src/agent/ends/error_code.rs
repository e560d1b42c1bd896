//! Stable codes for this crate's client-visible errors. The error texts quote only text that the client, the model or a forwarded
//! stream sent.

use std::error::Error;

use crate::agent::tool::{TimeoutError, ToolData, ToolDataError};
use crate::agent::{
    CallError, ForwardedError, InterruptError, MissingRequestValue, ResumeCallError, UnknownTool,
};
use crate::consent::ResumedError;
use crate::emit::{ActivityError, CustomEventError, DynamicError};
use crate::order::OrderError;
use crate::receive::ChunkError;
use crate::state::{ApplyError, StateError};

/// Returns the code for an error from this crate; `None` for any other error.
pub(in crate::agent) fn error_code(error: &(dyn Error + 'static)) -> Option<&'static str> {
    None.or_else(|| error.downcast_ref().map(StateError::code))
        .or_else(|| error.downcast_ref().map(ResumedError::code))
        .or_else(|| error.downcast_ref().map(call))
        .or_else(|| error.downcast_ref().map(tool_data))
        .or_else(|| error.downcast_ref().map(resume_call))
        .or_else(|| error.is::<TimeoutError>().then_some("tool_timeout"))
        .or_else(|| error.is::<ApplyError>().then_some("state_patch_refused"))
        .or_else(|| error.is::<UnknownTool>().then_some("unknown_tool"))
        .or_else(|| error.is::<ActivityError>().then_some("activity_unwritable"))
        .or_else(|| error.is::<CustomEventError>().then_some("event_unwritable"))
        .or_else(|| error.is::<InterruptError>().then_some("interrupt_unwritable"))
        .or_else(|| error.is::<MissingRequestValue>().then_some(MissingRequestValue::CODE))
        .or_else(|| error.is::<ForwardedError>().then_some(ForwardedError::CODE))
        .or_else(|| error.is::<UnwritableValue>().then_some("result_unwritable"))
        .or_else(|| {
            let is_foreign =
                error.is::<DynamicError>() || error.is::<ChunkError>() || error.is::<OrderError>();
            is_foreign.then_some("forwarded_event_refused")
        })
}

fn call(error: &CallError) -> &'static str {
    match error {
        CallError::Arguments(error) => tool_data(error),
        CallError::NotJson { .. } => "tool_arguments_invalid",
        CallError::Unwritable { .. } => "tool_arguments_unwritable",
        CallError::Result { .. } => "tool_result_unwritable",
        CallError::TooLarge { .. } => "tool_result_too_large",
    }
}

fn tool_data(error: &ToolDataError) -> &'static str {
    match error.what {
        ToolData::Arguments => "tool_arguments_invalid",
        ToolData::Answer => "tool_answer_invalid",
    }
}

fn resume_call(error: &ResumeCallError) -> &'static str {
    match error {
        ResumeCallError::Arguments(error) => tool_data(error),
        ResumeCallError::Unknown { .. }
        | ResumeCallError::OtherTool { .. }
        | ResumeCallError::Answered { .. }
        | ResumeCallError::Twice { .. }
        | ResumeCallError::NotLeft { .. } => "call_not_resumable",
        ResumeCallError::NotAsked { .. } => "call_not_asked",
    }
}

/// Error for an agent's value that has no JSON form.
#[derive(Debug, thiserror::Error)]
#[error("the result of the run has no JSON form")]
pub(crate) struct UnwritableValue(#[source] pub(crate) serde_json::Error);
