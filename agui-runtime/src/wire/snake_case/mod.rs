//! The snake_case dialect: another contract over server-sent events that reuses some of AG-UI's names (AG-UI 1.0, section "The snake_case
//! dialect"). It is not AG-UI; this is an adapter, in both directions.
//!
//! | file | translates |
//! |---|---|
//! | `table` | what the events are called |
//! | `reader` | a dialect's records, into events of AG-UI: with the starts, ends and ids the dialect leaves out |
//! | `writer` | events of AG-UI, into records of the dialect |
//! | `request` `block` | what a run is asked with, both ways |
//! | `loss` | what is lost by it, and says so |
//!
//! From AG-UI into the dialect everything is lost that it cannot say: state, activities, steps, subagents, metadata, interrupts, parts of
//! results, usage, and where one text ends and the next begins. What the dialect can say comes back as it was. Every kind of loss is a
//! [`Warning`](crate::receive::Warning): where there is no function for them, `tracing` hears of it.
//!
//! ```
//! use agui_runtime::protocol::Event;
//! use agui_runtime::wire::snake_case::{Reader, Writer};
//! use agui_runtime::wire::sse;
//!
//! let body = "event: message\ndata: {\"content\":\"Hi\"}\n\nevent: status\ndata: {\"type\":\"complete\"}\n\n";
//! let mut decoder = sse::Decoder::new();
//! decoder.push(body.as_bytes());
//!
//! let mut reader = Reader::new("thread-1", "run-1");
//! let mut events: Vec<Event> = Vec::new();
//! while let Some(record) = decoder.next_record()? {
//!     reader.read(record.event.as_deref(), &record.data, &mut events)?;
//! }
//! reader.finish(&mut events);
//! let types: Vec<_> = events.iter().map(|event| event.event_type().as_str()).collect();
//! assert_eq!(
//!     types,
//!     ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
//! );
//!
//! let mut bytes = Vec::new();
//! let mut writer = Writer::new();
//! for event in &events {
//!     writer.encode(event, &mut bytes)?;
//! }
//! assert!(String::from_utf8(bytes)?.ends_with(body));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod error;
mod loss;
mod reader;
mod request;
mod table;
#[cfg(test)]
mod tests;
mod writer;

pub use block::{Block, Media};
pub use error::DialectError;
pub use reader::Reader;
pub use request::{ChatContent, ChatMessage, ChatRequest, ChatRole};
pub use writer::Writer;

/// Where servers of the dialect take a chat.
pub const CHAT_PATH: &str = "/agent/chat/stream";

/// Where they take a run of an agent with a sandbox.
pub const AGENT_PATH: &str = "/agent/agent/stream";

/// How the names of events begin that the dialect has and AG-UI has not: they are `CUSTOM` events there.
pub const CUSTOM_PREFIX: &str = "snake_case:";
