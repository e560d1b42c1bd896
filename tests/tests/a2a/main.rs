//! An agent as an A2A agent, byte by byte, and a remote agent as a subagent: tasks, questions, and peers that break the protocol.

mod card;
// In no library: a linked agent is in the manifest of the program.
#[path = "../../src/bin/a2a_desk/desk.rs"]
mod desk;
mod ends;
mod hostile;
mod limits;
mod lists;
mod questions;
mod remote;
mod stored;
mod streams;
mod talk;
