//! The kinds of faults of one schedule, and the counts of all.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::random::Random;

/// The faults of one schedule: how rare each is, 0 for never.
#[derive(Debug)]
pub(super) struct Faults {
    /// A request does not reach the store.
    pub(super) fail: u64,
    /// An answer is lost.
    pub(super) lose: u64,
    /// An append whose answer is lost arrives later.
    pub(super) late: u64,
    /// A notice comes early, or late.
    pub(super) notices: u64,
    /// Servers stand still.
    pub(super) freeze: bool,
    /// Servers end, and begin again without their memory.
    pub(super) restart: bool,
    /// The store is away for a while, for one server or for all.
    pub(super) away: bool,
    /// The clock of the store jumps, and those of the servers differ.
    pub(super) clocks: bool,
    /// Threads are deleted.
    pub(super) delete: bool,
    /// Clients are slow.
    pub(super) slow: bool,
}

impl Faults {
    pub(super) fn draw(random: &Random) -> Self {
        let rate = || random.one_of(&[0, 0, 0, 40, 12, 5]);
        let some = || random.one_in(3);
        Self {
            fail: rate(),
            lose: rate(),
            late: rate(),
            notices: rate(),
            freeze: some(),
            restart: some(),
            away: some(),
            clocks: random.one_in(4),
            delete: random.one_in(4),
            slow: some(),
        }
    }

    /// Returns the faults that an engine with its own clock can have. A deletion is not in the order of the appends that are
    /// noted here.
    pub(super) fn of_an_engine(self) -> Self {
        Self { clocks: false, delete: false, ..self }
    }

    /// Returns true if the store may seem to be away.
    pub(super) fn reach_the_store(&self) -> bool {
        self.fail > 0 || self.lose > 0 || self.late > 0 || self.away
    }
}

/// The number of times that things happened.
#[derive(Debug, Default)]
pub struct Counts(Mutex<BTreeMap<&'static str, u64>>);

impl Counts {
    pub(super) fn add(&self, what: &'static str) {
        self.add_many(what, 1);
    }

    pub(super) fn add_many(&self, what: &'static str, count: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(what).or_default() += count;
    }

    pub(super) fn take(&self) -> Self {
        Self(Mutex::new(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))))
    }

    /// Returns the number of times that something happened.
    pub fn of(&self, what: &str) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(what).copied().unwrap_or_default()
    }

    /// Returns the sums.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        for (what, count) in other.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.add_many(what, count);
        }
        self
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            writeln!(f, "{count:>9} {what}")?;
        }
        Ok(())
    }
}
