//! The snake_case dialect: another protocol over server-sent events that reuses some of AG-UI's names
//! (AG-UI 1.0, section "The snake_case dialect"). It is not AG-UI; this module is an adapter, in both
//! directions.
//!
//! | file | translates |
//! |---|---|
//! | `table` | the names of the events |
//! | `reader` | records of the dialect into events of AG-UI: with the starts, ends and ids that the dialect leaves out |
//! | `writer` | events of AG-UI into records of the dialect |
//! | `request` `block` | the input of a run, both ways |
//! | `loss` | warnings about lost information |
//!
//! From AG-UI to the dialect, everything that the dialect cannot express is lost: state, activities, steps,
//! subagents, metadata, interrupts, parts of results, usage, and the boundaries between texts. The rest
//! survives a round trip. Every kind of loss is a [`FrameWarning`](crate::receive::FrameWarning); without a function
//! for warnings it is logged with `tracing`.
//!
//! ```
//! use agui_runtime::protocol::Event;
//! use agui_runtime::dialect::snake_case::{Reader, Writer};
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

/// The path at which servers of the dialect accept a chat.
///
/// ```
/// use agui_runtime::dialect::snake_case::CHAT_PATH;
///
/// let url = format!("http://127.0.0.1:8000{CHAT_PATH}");
/// assert_eq!(url, "http://127.0.0.1:8000/agent/chat/stream");
/// ```
pub const CHAT_PATH: &str = "/agent/chat/stream";

/// The path at which they accept a run of an agent with a sandbox.
///
/// ```
/// use agui_runtime::dialect::snake_case::AGENT_PATH;
///
/// let url = format!("http://127.0.0.1:8000{AGENT_PATH}");
/// assert_eq!(url, "http://127.0.0.1:8000/agent/agent/stream");
/// ```
pub const AGENT_PATH: &str = "/agent/agent/stream";

/// The prefix of the names of events that only the dialect has: in AG-UI they are `CUSTOM` events.
///
/// ```
/// use agui_runtime::dialect::snake_case::{CUSTOM_PREFIX, Reader};
/// use agui_runtime::protocol::Event;
///
/// let mut events = Vec::new();
/// Reader::new("thread-1", "run-1").read(Some("sandbox_ready"), r#"{"port":8080}"#, &mut events)?;
/// let Some(Event::Custom(custom)) = events.last() else { panic!("{events:?}") };
/// assert_eq!(custom.name.strip_prefix(CUSTOM_PREFIX), Some("sandbox_ready"));
/// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
/// ```
pub const CUSTOM_PREFIX: &str = "snake_case:";
