//! The logs of threads: the contract of an engine, and the engine in memory.

mod append;
mod cursor;
#[cfg(feature = "thread-servers")]
pub(crate) mod digest;
mod head;
mod key;
mod listed;
mod log;
mod log_error;
mod memory;
mod open_error;
mod page;
#[cfg(feature = "thread-servers")]
pub(crate) mod reconnect;
pub(crate) mod wakes;

pub use append::{AppendError, LARGEST_RECORD, LogAppend, LogPosition};
pub use cursor::{InvalidCursor, ThreadCursor};
pub use head::LogHead;
pub use key::ThreadKey;
pub use listed::ThreadEntry;
pub use log::ThreadLog;
pub use log_error::LogError;
pub use memory::Memory;
pub use open_error::OpenError;
pub use page::{LogPage, LogReadError};
