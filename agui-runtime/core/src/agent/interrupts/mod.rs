//! Interrupts: what a run asks its user, and the resume entries that come back.
//!
//! | file | content |
//! |---|---|
//! | `interrupt` `question` | typed interrupts, of a run or about a call |
//! | `approval` `approval_schema` | the interrupt before a tool call, and its response schema |
//! | `answers` `resumed` | resume entries: checked before the agent runs, read by the agent |
//! | `resume_call` `resuming` | calls that an interrupt left open, taken up by a later run |
//! | `repeated_answers` | results that a client writes for calls whose interrupt it resumes |
//! | `index` `call_steps` | calls and resume entries by id; calls that lead to a subagent's interrupt |

pub(super) mod answers;
pub(super) mod approval;
pub(super) mod approval_schema;
pub(super) mod call_steps;
pub(super) mod index;
pub(super) mod interrupt;
pub(super) mod question;
pub(super) mod repeated_answers;
pub(super) mod resume_call;
pub(super) mod resumed;
pub(super) mod resuming;
