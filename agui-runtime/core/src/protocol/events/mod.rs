//! Events: one table, and one file for each family.
//!
//! | file | content |
//! |---|---|
//! | `table` | the table: a row decides what becomes of an event everywhere |
//! | `event` | any event, and its type |
//! | `run` `text` `tool_call` `state` `activity` `reasoning` `subagent` `passthrough` | the event structs of a family |
//! | `outcome` `usage` | run outcomes, token counts |
//! | `base` `event_fields` | members that every event has |
//! | `samples` | a sample of each event, for tests |
//! | `effect` `operands` `scope_id` `id_space` `treatment` | the table's vocabulary |

pub(super) mod activity;
pub(super) mod base;
pub(super) mod effect;
pub(super) mod event;
pub(super) mod event_fields;
pub(super) mod id_space;
pub(super) mod operands;
pub(super) mod outcome;
pub(super) mod passthrough;
pub(super) mod reasoning;
pub(super) mod run;
#[cfg(test)]
pub(super) mod samples;
pub(super) mod scope_id;
pub(super) mod state;
pub(super) mod subagent;
pub(super) mod table;
pub(super) mod text;
pub(super) mod tool_call;
pub(super) mod treatment;
pub(super) mod usage;
