//! An agent as an A2A agent, byte by byte, and a remote agent as a subagent: tasks, questions, and peers that break the protocol.

mod card;
// In no library: a linked agent is in the manifest of the program.
#[path = "../../src/bin/a2a_desk/desk.rs"]
mod desk;
mod ends;
mod evil;
mod hostile;
mod http_json;
mod limits;
mod lists;
mod lost;
mod outages;
#[path = "../../outside/tests/a2a_sdk/planner.rs"]
mod planner;
mod questions;
mod races;
mod remote;
mod stored;
mod streams;
mod talk;
