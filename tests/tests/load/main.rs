//! A server under load and attack, as a process of its own, whose memory and tasks are counted.
//!
//! These tests take a minute, and are a command of their own: `cargo test --features optional --test load`.

mod attack;
#[path = "../server/kitchen.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod kitchen;
mod large_input;
mod readers;
mod soak;
mod unread;
#[path = "../server/waits.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod waits;
