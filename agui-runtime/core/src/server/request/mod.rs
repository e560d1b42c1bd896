//! Requests for runs, from their headers to a checked input.
//!
//! ```text
//! head (method, protocol, accept) ─▶ input_bytes (size, time) ─▶ reading ─▶ census (limits) ─▶ admit (unknown material) ─▶ input
//! ```
//!
//! | file | content |
//! |---|---|
//! | `head` | a request before and after its body is read |
//! | `ag_ui_input` | the extractor for handlers of your own |
//! | `accept` `version` | response encoding, and protocol version |
//! | `input_bytes` `reading` | bytes of a body; parsing, on threads of their own if a body is large |
//! | `census` `input_limits` `json_path` | the first pass over a body: JSON within the limits, and paths for its errors |
//! | `admit` | unknown members, types and roles, which are left out with a warning |
//! | `input` | the input itself |

pub(super) mod accept;
pub(super) mod admit;
pub(super) mod ag_ui_input;
pub(super) mod census;
pub(super) mod head;
pub(super) mod input;
pub(super) mod input_bytes;
pub(super) mod input_limits;
pub(super) mod json_path;
pub(super) mod reading;
pub(super) mod version;
