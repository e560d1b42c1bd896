//! Runs over one WebSocket of a server of this crate: each looks like the response to a request, so that all above is the
//! same.
//!
//! | file | holds |
//! |---|---|
//! | `choice` | the settings of an agent that choose a socket |
//! | `socket` | the socket of an agent: made when needed, and again |
//! | `handshake` | its handshake |
//! | `link` | one connection: its frames |
//! | `runs` | the runs on it, and the frames that belong to them |
//! | `body` | the stream of a run as the body of a response |

mod body;
mod choice;
mod handshake;
mod link;
mod runs;
mod socket;

pub(super) use socket::{RunFrame, Socket};
