//! The policies of the servers of one schedule: those of the agents differ.

use std::time::Duration;

use agui_runtime::http::{BusyThread, ClientLeaves, ThreadOptions};

use super::LEASE;
use super::node::Place;
use super::random::Random;
use crate::stored::GOES_ON;

/// The policies for the threads of one agent.
#[derive(Clone, Copy, Debug)]
struct OfAgent {
    busy: BusyThread,
    leaves: ClientLeaves,
}

impl OfAgent {
    fn draw(random: &Random) -> Self {
        let busy = random.one_of(&[BusyThread::Reject, BusyThread::Queue, BusyThread::CancelFirst]);
        let leaves = match random.below(3) {
            0 => ClientLeaves::CancelAfter(Duration::from_millis(random.below(1_500))),
            _ => ClientLeaves::Continue,
        };
        Self { busy, leaves }
    }
}

/// The policies of all servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policies {
    all: OfAgent,
    goes_on: OfAgent,
    pub(super) keep_records: u64,
    pub(super) keep_bytes: u64,
}

/// More than a schedule writes.
const ALL: u64 = 1 << 40;

impl Policies {
    pub(super) fn draw(random: &Random) -> Self {
        let all = OfAgent::draw(random);
        let goes_on = if random.one_in(2) { OfAgent::draw(random) } else { all };
        let (keep_records, keep_bytes) =
            random.one_of(&[(2, ALL), (8, ALL), (ALL, 600), (ALL, 4_000), (ALL, ALL), (ALL, ALL)]);
        Self { all, goes_on, keep_records, keep_bytes }
    }

    pub(super) fn options(&self) -> ThreadOptions {
        let Self { all, goes_on, keep_records, keep_bytes } = *self;
        ThreadOptions::default()
            .lease(LEASE)
            .busy(all.busy)
            .client_leaves(all.leaves)
            .busy_of(GOES_ON, goes_on.busy)
            .client_leaves_of(GOES_ON, goes_on.leaves)
            .keep_records(keep_records)
            .keep_bytes(keep_bytes)
    }

    fn of(&self, place: Place) -> OfAgent {
        if place.agent == GOES_ON { self.goes_on } else { self.all }
    }

    /// Returns true if a second run on a thread is refused.
    pub(super) fn reject(&self, place: Place) -> bool {
        self.of(place).busy == BusyThread::Reject
    }

    /// Returns true if a run may be cancelled because its clients left.
    pub(super) fn cancel(&self, place: Place) -> bool {
        self.of(place).leaves != ClientLeaves::Continue
    }

    /// Returns true if long threads are trimmed.
    pub(super) fn trim(&self) -> bool {
        self.keep_records != ALL || self.keep_bytes != ALL
    }
}
