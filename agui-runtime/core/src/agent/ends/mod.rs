//! Ends of a run: returned values, stops, failures and their codes.

pub(super) mod error_code;
pub(super) mod failure;
pub(super) mod finished;
pub(super) mod returned;
pub(super) mod stop;
