//! Who asks, over real sockets: what layers find out, agents that are made for each request, and handlers that are not ours.
//!
//! A program of its own: the agents here are the macro's, which stand in the manifest of every program that links them, and the
//! tests of the server look at a manifest without them.

mod handlers;
#[path = "../server/kitchen.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod kitchen;
mod layers;
