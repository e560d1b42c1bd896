//! Interrupts: what a run asks its user, and the resume entries that come back.
//!
//! | file | content |
//! |---|---|
//! | `interrupt` `typed_interrupt` | typed interrupts, of a run or about a call |
//! | `approval` `approval_schema` | the interrupt before a tool call, and its response schema |
//! | `resume_check` `resumed` | resume entries: checked before the agent runs, read by the agent |
//! | `resume_call` `call_verdict` | calls that an interrupt left open, taken up by a later run |
//! | `tool_interrupt` | interrupts that a running tool raises, with the state for making the call again |
//! | `repeated_results` | results that a client writes for calls whose interrupt it resumes |
//! | `index` `call_steps` | calls and resume entries by id; calls that lead to a subagent's interrupt |

pub(super) mod approval;
pub(super) mod approval_schema;
pub(super) mod call_steps;
pub(super) mod call_verdict;
pub(super) mod index;
pub(super) mod interrupt;
pub(super) mod repeated_results;
pub(super) mod resume_call;
pub(super) mod resume_check;
pub(super) mod resumed;
#[cfg(feature = "model")]
pub(super) mod tool_interrupt;
pub(super) mod typed_interrupt;
