//! The format on the wire: every event and message, as the schema and the official packages have it.

mod census;
mod spans;
mod sse;
