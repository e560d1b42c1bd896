//! Threads that a server stores: runs outlive their clients, and every stream can be resumed.
#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values that nobody needs again")]

mod acknowledgements;
mod attach;
mod away;
mod busy;
mod connect;
mod copilotkit;
mod crashed;
mod cursors;
mod described;
mod excerpts;
mod failed_answers;
mod generations;
mod input;
mod joining;
mod leaving;
mod lost;
mod maintenance;
mod manage;
mod questions;
mod races;
mod reader_memory;
mod readers;
mod rebound;
mod restart;
mod rolling;
mod silent;
mod simulated;
mod thread_server;
mod titles;
mod trims;
mod unwritable;
mod versions;
mod webhooks;
mod webhooks_https;
mod whole;
