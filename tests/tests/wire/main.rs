//! The format on the wire: every event and message, as the schema and the official packages have it.

mod census;
mod documents;
mod schema;
mod spans;
mod sse;
mod traps;
