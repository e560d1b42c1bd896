//! The table of this crate's client-visible errors: their stable codes, and where their texts are shown. The texts quote only text
//! that the client, the model or a forwarded stream sent.

use std::error::Error;

use crate::agent::tool::{TimeoutError, ToolData, ToolDataError};
use crate::agent::{
    CallError, ForwardedError, InterruptError, MissingRequestValue, PublicError, ResumeCallError, UnknownTool,
};
use crate::consent::ResumedError;
use crate::emit::{ActivityError, CustomEventError, DynamicError};
use crate::order::OrderError;
use crate::receive::ChunkError;
use crate::state::{ApplyError, StateError};

/// Makes [`error_code`] from the table. A row: whether the error's text is for users in a tool too ([`PublicError`]), the error,
/// and the function that returns the code.
macro_rules! run_errors {
    ($($reach:ident $Error:ty => $code:expr;)*) => {
        /// Returns the code for an error from this crate; `None` for any other error.
        pub(in crate::agent) fn error_code(error: &(dyn Error + 'static)) -> Option<&'static str> {
            None$(.or_else(|| error.downcast_ref::<$Error>().map($code)))*
        }

        $(run_errors!(@$reach $Error);)*
    };
    (@everywhere $Error:ty) => { impl PublicError for $Error {} };
    (@run $Error:ty) => {};
}

run_errors! {
    everywhere StateError => StateError::code;
    everywhere ResumedError => ResumedError::code;
    everywhere CallError => call;
    everywhere ToolDataError => tool_data;
    everywhere ResumeCallError => resume_call;
    everywhere TimeoutError => |_| "tool_timeout";
    everywhere ApplyError => |_| "state_patch_refused";
    everywhere UnknownTool => |_| "unknown_tool";
    everywhere ActivityError => |_| "activity_unwritable";
    everywhere CustomEventError => |_| "event_unwritable";
    everywhere DynamicError => |_| "forwarded_event_refused";
    everywhere ChunkError => |_| "forwarded_event_refused";
    everywhere OrderError => |_| "forwarded_event_refused";
    run InterruptError => |_| "interrupt_unwritable";
    run MissingRequestValue => |_| MissingRequestValue::CODE;
    run ForwardedError => |_| ForwardedError::CODE;
    run UnwritableValue => |_| "result_unwritable";
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
        ToolData::Result => "tool_result_invalid",
    }
}

fn resume_call(error: &ResumeCallError) -> &'static str {
    match error {
        ResumeCallError::Arguments(error) => tool_data(error),
        ResumeCallError::Unknown { .. }
        | ResumeCallError::OtherTool { .. }
        | ResumeCallError::Settled { .. }
        | ResumeCallError::Twice { .. }
        | ResumeCallError::NotLeft { .. } => "call_not_resumable",
        ResumeCallError::NotAsked { .. } => "call_not_asked",
    }
}

/// Error for an agent's value that has no JSON form.
#[derive(Debug, thiserror::Error)]
#[error("the result of the run has no JSON form")]
pub(crate) struct UnwritableValue(#[source] pub(crate) serde_json::Error);
