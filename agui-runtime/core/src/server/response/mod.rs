//! Responses: event streams and refusals.
//!
//! | file | content |
//! |---|---|
//! | `ag_ui_reply` | the responder: a run becomes a response |
//! | `body` `encoding` `heartbeat` | chunks of encoded events, and the sign of life between them |
//! | `foreign` | event streams of handlers that no run of this crate made |
//! | `restriction` | events restricted to the version that a client reads |
//! | `client_state` `unended` | corrections for legacy clients: state deltas, and open spans before RUN_ERROR |
//! | `rejection` `excerpt` `panicked` | refusals and their texts; panics of user code |

pub(super) mod ag_ui_reply;
pub(super) mod body;
pub(super) mod client_state;
pub(super) mod encoding;
pub(super) mod excerpt;
pub(super) mod foreign;
pub(super) mod heartbeat;
pub(super) mod panicked;
pub(super) mod rejection;
pub(super) mod restriction;
pub(super) mod unended;
