//! Runs over one WebSocket (RFC 6455): each run is a separate request, which passes the server's layers and limits.
//!
//! ```text
//! GET /agui/ws ─▶ gate ─▶ handshake ─▶ session ─▶ frames ─▶ channel ─▶ layers and agents, as for POST
//!                                         ▲                    │
//!                                         └── queue ◀── frames ┘
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `handshake` | the request that becomes a socket |
//! | `session` | one socket: frames, runs, end |
//! | `outbox` | the frame queue, and messages in fragments |
//! | `outgoing` | frames to the client, and pings |
//! | `frames` | frames from the client |
//! | `held` | an input's budget share, until the input is read |
//! | `channel` | one run on the socket |
//! | `run_frames` | a run's frames |
//! | `credit` | the number of frames that a run may send ahead |
//! | `meter` | size and time limits for incomplete messages |
//! | `farewell` | close codes |

mod channel;
mod credit;
mod farewell;
mod frames;
mod handshake;
mod held;
mod meter;
mod outbox;
mod outgoing;
mod run_frames;
mod session;

pub(super) use handshake::{PATH, route};
