//! The model loop: what a run writes while a model talks and calls, and what the model reads.

mod approval_policy;
mod approvals;
mod cassette;
mod clerk;
mod cost;
mod dyn_approvals;
mod dyn_tools;
mod failures;
mod frontend;
mod history;
mod hooks;
mod limits;
mod long_answers;
mod output;
mod page_tools;
mod partly_answered;
mod round_trip;
mod schema;
mod schema_forms;
mod schema_validation;
mod shorten;
mod state;
mod subagents;
mod time;
mod tool_choice;
mod turns;
