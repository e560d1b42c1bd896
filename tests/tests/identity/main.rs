//! Identity over real sockets: values of layers, agents that are made for each request, and handlers of other crates.
//!
//! A binary of its own: the agents here are the macro's, which are in the manifest of every program that links them,
//! and the tests of the server check a manifest without them.

mod handlers;
#[path = "../server/kitchen.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod kitchen;
mod layers;
mod options;
