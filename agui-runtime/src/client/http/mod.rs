//! Runs over HTTP (AG-UI 1.0, sections "HTTP exchange" and "Response handling in the client").
//!
//! | file | holds |
//! |---|---|
//! | `agent` `settings` | the agent, and its settings |
//! | `exchange` `accept` | the request of a run, and its encoding |
//! | `capabilities` | the capabilities that the agent declares |
//! | `connections` | addresses and connections |
//! | `answer` | the response: a rejection, or a stream |
//! | `follow` | a run over successive connections |
//! | `cursor` `restate` | the ids of its events; the join of its streams |
//! | `thread` | the requests about a thread |
//! | `reader` | from bytes of a stream to frames; the one place that knows the wire formats |
//! | `snake_case` | from bytes of the snake_case dialect to frames |
//! | `limit` | time limits |
//! | `websocket` | runs over one WebSocket, in the place of requests |
//! | `redirect` | the redirects that are followed, and errors for the others |

mod accept;
mod agent;
mod answer;
mod capabilities;
mod connections;
mod cursor;
mod exchange;
mod follow;
mod limit;
mod reader;
mod redirect;
mod restate;
mod settings;
#[cfg(feature = "dialect")]
mod snake_case;
mod thread;
#[cfg(feature = "websocket")]
mod websocket;

pub use accept::Accept;
pub use agent::HttpAgent;
