//! Runs over HTTP (AG-UI 1.0, sections "HTTP exchange" and "Response handling in the client").
//!
//! | file | holds |
//! |---|---|
//! | `agent` `settings` | the agent, and the agent's settings |
//! | `exchange` `accept` | the run request, and the requested encoding |
//! | `capabilities` | the agent's declared capabilities |
//! | `connections` | addresses and connections |
//! | `answer` | the response: a rejection, or a stream |
//! | `follow` | a run over successive connections |
//! | `cursor` `restate` | event ids; joining two streams of one run |
//! | `thread` | a stop request |
//! | `stored_threads` | the threads that a server stores: list, change, delete |
//! | `reader` | from bytes to frames; the one place that knows the wire formats |
//! | `snake_case` | from snake_case bytes to frames |
//! | `limit` | time limits |
//! | `websocket` | runs over one WebSocket instead of requests |
//! | `redirect` | followed redirects, and errors for the others |

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
mod stored_threads;
mod thread;
#[cfg(feature = "websocket")]
mod websocket;

pub use accept::Accept;
pub use agent::HttpAgent;
pub use stored_threads::{MessageExcerpt, StoredThread, ThreadChange, ThreadPage, ThreadQuery};
