//! Key names. The part in braces decides the cluster slot, so all keys share one slot.

use agui_runtime_core::__leaf::{hex, list_digest};
use agui_runtime_core::thread::ThreadKey;

pub(super) const SCHEMA: &[u8] = b"{agui-threads}:schema";
/// A sorted set: threads with an owner, by lease end.
pub(super) const LEASED: &[u8] = b"{agui-threads}:leased";
/// A sorted set: threads without an owner, by last change.
pub(super) const IDLE: &[u8] = b"{agui-threads}:idle";
/// A stream: names of changed threads.
pub(super) const NOTICES: &[u8] = b"{agui-threads}:notices";

/// An empty text, written to find out if the server takes writes.
pub(super) const PROBE: &[u8] = b"{agui-threads}:probe";

/// The prefix for thread keys.
pub(super) const THREAD: &[u8] = b"{agui-threads}:thread:";
const RECORDS: &[u8] = b"{agui-threads}:records:";
const LIST: &[u8] = b"{agui-threads}:list:";

/// One thread's keys.
pub(super) struct RedisKeys {
    /// The thread's name in sets and notices.
    pub(super) name: Vec<u8>,
    /// A hash: the thread's facts.
    pub(super) thread: Vec<u8>,
    /// A stream: the records after the snapshot.
    pub(super) records: Vec<u8>,
    /// A sorted set: the owner's threads with the agent, the last changed first.
    pub(super) list: Vec<u8>,
}

impl RedisKeys {
    pub(super) fn from_key(key: &ThreadKey) -> Self {
        let list = hex(&list_digest(key.owner(), key.agent()));
        let name = [list.as_bytes(), b":", key.thread().as_bytes()].concat();
        Self {
            thread: [THREAD, &name].concat(),
            records: [RECORDS, &name].concat(),
            list: [LIST, list.as_bytes()].concat(),
            name,
        }
    }
}
