//! The server over real sockets: every byte it sends, and its behaviour when clients or signals end things.
#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values that nobody needs again")]

mod bad_input;
mod binary;
mod clients;
mod cost;
mod drift;
mod flood;
mod foreign_page;
mod health;
mod hosts;
mod input_limits;
mod kitchen;
mod limits;
mod log;
mod metrics;
mod old_input;
mod origins;
mod panics;
mod preface;
mod program;
mod routes;
mod shutdown;
mod slow;
mod snake_case;
mod start_page;
mod stderr;
mod stream;
mod total_body;
mod unended;
mod vectors;
mod versions;
mod waits;
mod websocket;
