//! Runs over one WebSocket to a server of this crate. Each run looks like a response to a request, so the layers above stay the
//! same.
//!
//! | file | holds |
//! |---|---|
//! | `choice` | the settings that choose a socket |
//! | `socket` | an agent's socket: opened when needed, and again |
//! | `handshake` | the socket's handshake |
//! | `link` | one connection: the frames |
//! | `runs` | the connection's runs, and their frames |
//! | `body` | a run's stream as a response body |

mod body;
mod choice;
mod handshake;
mod link;
mod runs;
mod socket;

pub(super) use socket::{RunFrame, Socket};
