//! An agent as an A2A agent, byte by byte: tasks, questions, and clients that break the protocol.

mod card;
// In no library: a linked agent is in the manifest of the program.
#[path = "../../src/bin/a2a_desk/desk.rs"]
mod desk;
mod ends;
mod hostile;
mod kept;
mod limits;
mod lists;
mod questions;
mod streams;
mod talk;
