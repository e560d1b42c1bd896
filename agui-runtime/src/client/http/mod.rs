//! Runs over HTTP (AG-UI 1.0, sections "HTTP exchange" and "Response handling in the client").
//!
//! | file | holds together |
//! |---|---|
//! | `agent` `accept` | what is asked, and how |
//! | `declared` | what the agent says about itself |
//! | `connections` `tls` | addresses, and connections to them |
//! | `answer` | what a response is: a rejection, or a stream |
//! | `reader` | bytes of a stream in, frames out; the one place that knows the wire formats |
//! | `limit` | how long things may take |
//! | `redirect` | which redirects are followed, and what the others are |

mod accept;
mod agent;
mod answer;
mod connections;
mod declared;
mod limit;
mod reader;
mod redirect;
mod tls;

pub use accept::Accept;
pub use agent::HttpAgent;
