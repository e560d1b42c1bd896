//! All connections to a server, and the choice which connection to close when there are too many.
//!
//! A client sends its request right after connecting. So when slots are short, the connection that has been without a complete
//! request for the longest time most probably never sends one, and is closed. Half-sent heads, slow bodies and silent connections
//! therefore keep no client out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Version;

use super::state::{ConnectionState, ConnectionTimeouts};
use crate::server::metrics;

/// One server's connections.
pub(super) struct ConnectionTable {
    times: ConnectionTimeouts,
    inner: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    open: usize,
    /// Connections without a complete request, the longest wait first.
    waiting: BTreeMap<u64, Arc<ConnectionState>>,
    next: u64,
}

impl ConnectionTable {
    pub(super) fn new(times: ConnectionTimeouts) -> Arc<Self> {
        Arc::new(Self { times, inner: Mutex::default() })
    }

    /// Adds a connection; if there are already `most`, closes another one in exchange. `None` if no slot could be freed.
    pub(super) fn enter(self: &Arc<Self>, most: usize) -> Option<ConnectionEntry> {
        let mut inner = self.lock();
        if inner.open >= most && !inner.evict() {
            return None;
        }
        Some(self.add(inner))
    }

    fn add(self: &Arc<Self>, mut inner: MutexGuard<'_, OpenConnections>) -> ConnectionEntry {
        inner.open += 1;
        let state = Arc::new(ConnectionState::new(self.times));
        let ticket = inner.wait(&state);
        drop(inner);
        metrics::connection_opened();
        ConnectionEntry { connections: Arc::clone(self), state, ticket: Mutex::new(Some(ticket)) }
    }

    /// Closes up to `most` connections that wait longest. Returns false if none waits.
    pub(super) fn evict(&self, most: usize) -> bool {
        let mut inner = self.lock();
        (0..most).take_while(|_| inner.evict()).count() > 0
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn wait(&mut self, state: &Arc<ConnectionState>) -> u64 {
        let ticket = self.next;
        self.next += 1;
        self.waiting.insert(ticket, Arc::clone(state));
        ticket
    }

    fn evict(&mut self) -> bool {
        let Some((_, state)) = self.waiting.pop_first() else { return false };
        metrics::evicted();
        state.evict();
        true
    }
}

/// A connection's entry in the table while its socket is open.
pub(super) struct ConnectionEntry {
    connections: Arc<ConnectionTable>,
    pub(super) state: Arc<ConnectionState>,
    /// Key among the waiting connections.
    ticket: Mutex<Option<u64>>,
}

impl ConnectionEntry {
    /// Returns a connection that is never closed in favour of another.
    #[cfg(feature = "websocket")]
    pub(super) fn standalone(times: ConnectionTimeouts) -> Self {
        let connections = ConnectionTable::new(times);
        connections.add(connections.lock())
    }

    fn ticket(&self) -> MutexGuard<'_, Option<u64>> {
        self.ticket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionEntry {
    fn drop(&mut self) {
        let ticket = self.ticket().take();
        let mut inner = self.connections.lock();
        inner.open -= 1;
        if let Some(ticket) = ticket {
            inner.waiting.remove(&ticket);
        }
        drop(inner);
        metrics::connection_closed();
    }
}

/// A request on a connection, until its response is complete or abandoned.
pub(super) struct OngoingRequest {
    member: Arc<ConnectionEntry>,
    engaged: Mutex<bool>,
}

impl OngoingRequest {
    pub(super) fn new(member: &Arc<ConnectionEntry>, version: Version) -> Self {
        member.state.begin(version);
        Self { member: Arc::clone(member), engaged: Mutex::new(false) }
    }

    /// Records that the request has arrived completely: the next bytes on the connection belong to another request.
    pub(super) fn complete(&self) {
        self.member.state.complete();
        self.engage();
    }

    /// Records that the request is complete or has a response: the connection is no longer closed in favour of others.
    pub(super) fn engage(&self) {
        let mut engaged = self.engaged.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *engaged, true) {
            return;
        }
        // The locking order is the same everywhere: the ticket, the state, all connections.
        let mut ticket = self.member.ticket();
        if self.member.state.engage()
            && let Some(ticket) = ticket.take()
        {
            self.member.connections.lock().waiting.remove(&ticket);
        }
    }
}

impl Drop for OngoingRequest {
    fn drop(&mut self) {
        let engaged = *self.engaged.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ticket = self.member.ticket();
        if self.member.state.end(engaged) {
            *ticket = Some(self.member.connections.lock().wait(&self.member.state));
        }
    }
}
