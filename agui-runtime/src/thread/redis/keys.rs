//! The names of keys. The part in braces decides the slot of a cluster, so all are in one.

use crate::hex::hex;
use crate::thread::ThreadKey;
use crate::thread::digest::list_digest;

pub(super) const SCHEMA: &[u8] = b"{agui-threads}:schema";
/// A sorted set: the threads with an owner, by the end of its lease.
pub(super) const LEASED: &[u8] = b"{agui-threads}:leased";
/// A sorted set: the threads without owner, by their last change.
pub(super) const IDLE: &[u8] = b"{agui-threads}:idle";
/// A stream: the names of threads that have changed.
pub(super) const NOTICES: &[u8] = b"{agui-threads}:notices";

/// A text without content, which is written to learn whether the server takes writes.
pub(super) const PROBE: &[u8] = b"{agui-threads}:probe";

/// The beginning of the keys of threads.
pub(super) const THREAD: &[u8] = b"{agui-threads}:thread:";
const RECORDS: &[u8] = b"{agui-threads}:records:";
const LIST: &[u8] = b"{agui-threads}:list:";

/// The keys of one thread.
pub(super) struct Keys {
    /// The name of the thread in sets and notices.
    pub(super) name: Vec<u8>,
    /// A hash: what is known of the thread.
    pub(super) thread: Vec<u8>,
    /// A stream: the records after the snapshot.
    pub(super) records: Vec<u8>,
    /// A sorted set: the threads of the owner with the agent, the last changed first.
    pub(super) list: Vec<u8>,
}

impl Keys {
    pub(super) fn of(key: &ThreadKey) -> Self {
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
