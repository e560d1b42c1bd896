//! Runs over HTTP (AG-UI 1.0, sections "HTTP exchange" and "Response handling in the client").
//!
//! | file | holds together |
//! |---|---|
//! | `agent` | what is asked, and how |
//! | `answer` | what a response is: a rejection, or a stream |
//! | `reader` | bytes of a stream in, frames out; the one place that knows the wire formats |
//! | `limit` | how long things may take |
//! | `tls` | the connections |

mod agent;
mod answer;
mod limit;
mod reader;
mod tls;

pub use agent::{Accept, HttpAgent};
