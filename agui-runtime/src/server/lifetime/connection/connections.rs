//! All connections of a server, and the choice of the connection to close when there are too many.
//!
//! A client that connects sends its request at once. So when room is short, the connection that has been without a
//! complete request for the longest time most probably never sends one, and is closed. Half-sent heads, slow bodies and
//! silent connections therefore keep no client out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Version;

use super::state::{State, Times};
use crate::server::metrics;

/// The connections of one server.
pub(super) struct Connections {
    times: Times,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    open: usize,
    /// The connections without a complete request, the one that waits longest first.
    waiting: BTreeMap<u64, Arc<State>>,
    next: u64,
}

impl Connections {
    pub(super) fn new(times: Times) -> Arc<Self> {
        Arc::new(Self { times, inner: Mutex::default() })
    }

    /// Adds a connection; if there are `most` already, another one is closed for it. `None` if there is no room.
    pub(super) fn enter(self: &Arc<Self>, most: usize) -> Option<Member> {
        let mut inner = self.lock();
        if inner.open >= most && !inner.evict() {
            return None;
        }
        Some(self.add(inner))
    }

    fn add(self: &Arc<Self>, mut inner: MutexGuard<'_, Inner>) -> Member {
        inner.open += 1;
        let state = Arc::new(State::new(self.times));
        let ticket = inner.wait(&state);
        drop(inner);
        metrics::connection_opened();
        Member { connections: Arc::clone(self), state, ticket: Mutex::new(Some(ticket)) }
    }

    /// Closes up to `most` of the connections that wait longest. Returns false if none waits.
    pub(super) fn evict(&self, most: usize) -> bool {
        let mut inner = self.lock();
        (0..most).take_while(|_| inner.evict()).count() > 0
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn wait(&mut self, state: &Arc<State>) -> u64 {
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

/// One connection of the server, for as long as its socket is open.
pub(super) struct Member {
    connections: Arc<Connections>,
    pub(super) state: Arc<State>,
    /// The place among the waiting connections.
    ticket: Mutex<Option<u64>>,
}

impl Member {
    /// Returns a connection that no other one closes.
    #[cfg(feature = "websocket")]
    pub(super) fn alone(times: Times) -> Self {
        let connections = Connections::new(times);
        connections.add(connections.lock())
    }

    fn ticket(&self) -> MutexGuard<'_, Option<u64>> {
        self.ticket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Member {
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

/// One request of a connection, until its answer is complete or abandoned.
pub(super) struct Ongoing {
    member: Arc<Member>,
    engaged: Mutex<bool>,
}

impl Ongoing {
    pub(super) fn new(member: &Arc<Member>, version: Version) -> Self {
        member.state.begin(version);
        Self { member: Arc::clone(member), engaged: Mutex::new(false) }
    }

    /// Records that the request is complete: the next bytes on its connection belong to another request.
    pub(super) fn complete(&self) {
        self.member.state.complete();
        self.engage();
    }

    /// Records that the request is complete or answered: its connection is no longer closed for others.
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

impl Drop for Ongoing {
    fn drop(&mut self) {
        let engaged = *self.engaged.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ticket = self.member.ticket();
        if self.member.state.end(engaged) {
            *ticket = Some(self.member.connections.lock().wait(&self.member.state));
        }
    }
}
