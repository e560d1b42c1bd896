//! The server over real sockets: every byte it sends, and what it does when clients or signals end things.
#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values that nobody needs again")]

mod bad_input;
mod binary;
mod clients;
mod drift;
mod input_limits;
mod kitchen;
mod large_input;
mod old_input;
mod program;
mod routes;
mod shutdown;
mod snake_case;
mod stream;
mod vectors;
mod warnings;
