//! Tool results: from a return value to the content of TOOL_CALL_RESULT, and failures.

pub(super) mod content;
pub(super) mod failure_text;
pub(super) mod max_result;
pub(super) mod outcome;
pub(super) mod parts;
pub(super) mod probe;
pub(super) mod public;
pub(super) mod streamed;
pub(super) mod tool_failure;
pub(super) mod written;
