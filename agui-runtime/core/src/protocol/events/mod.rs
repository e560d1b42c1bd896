//! Events: one table, and one file for each family.
//!
//! | file | content |
//! |---|---|
//! | `event` | the table: name, struct, family, effect |
//! | `run` `text` `tool_call` `state` `activity` `reasoning` `subagent` `passthrough` | the event structs of a family |
//! | `outcome` `usage` | run outcomes, token counts |
//! | `base` `event_fields` | members that every event has |
//! | `effect` `operands` `scope_id` | the table's vocabulary |

pub(super) mod activity;
pub(super) mod base;
pub(super) mod effect;
pub(super) mod event;
pub(super) mod event_fields;
pub(super) mod operands;
pub(super) mod outcome;
pub(super) mod passthrough;
pub(super) mod reasoning;
pub(super) mod run;
pub(super) mod scope_id;
pub(super) mod state;
pub(super) mod subagent;
pub(super) mod text;
pub(super) mod tool_call;
pub(super) mod usage;
