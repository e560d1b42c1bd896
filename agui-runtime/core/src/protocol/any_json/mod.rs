//! JSON without a declared type: presence, text that is read late, and the memory that reading takes.
//!
//! | file | content |
//! |---|---|
//! | `json` | presence: required, optional, not `null` |
//! | `lazy` `written` | JSON that stays text until it is read; text that the state engine wrote |
//! | `transcode` | text to any serializer, without a tree of values |
//! | `meter` `metered` `allowance` | memory of values: estimated, measured, limited |

pub(crate) mod allowance;
pub(super) mod json;
pub(super) mod lazy;
pub(crate) mod meter;
pub(super) mod metered;
pub(super) mod transcode;
pub(super) mod written;
