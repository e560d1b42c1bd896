//! Runs over one WebSocket (RFC 6455): each is a request of its own, which passes the layers and limits of the server.
//!
//! ```text
//! GET /agui/ws ─▶ gate ─▶ handshake ─▶ session ─▶ frames ─▶ channel ─▶ layers and agents, as for POST
//!                                         ▲                    │
//!                                         └── queue ◀── answer ┘
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `handshake` | the request that becomes a socket |
//! | `session` | one socket: its frames, its runs, its end |
//! | `outbox` | the queue of frames, and messages in fragments |
//! | `outgoing` | the frames to the client, and pings |
//! | `frames` | the frames of the client |
//! | `held` | the share of an input in the budget, until it is read |
//! | `channel` | one run on the socket |
//! | `answer` | the frames of a run |
//! | `credit` | the frames that a run may send ahead of its reader |
//! | `meter` | the bytes and the time of messages that are not complete |
//! | `farewell` | the codes that close a socket |

mod answer;
mod channel;
mod credit;
mod farewell;
mod frames;
mod handshake;
mod held;
mod meter;
mod outbox;
mod outgoing;
mod session;

pub(super) use handshake::{PATH, route};
