//! The memory that JSON takes where it is parsed without a type.

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use super::metered::Metered;

/// A value without a type, in a list that grows by doubling.
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only a server counts single values"))]
pub(crate) const VALUE: usize = 2 * size_of::<Value>();
/// More for a list that is not empty, which has room for 4 values at once.
pub(crate) const LIST: usize = 2 * size_of::<Value>();
/// More for each member of an object: its key, and its place in a table.
pub(crate) const MEMBER: usize = 80;
/// More for an object that is not empty, which has room for 4 members at once.
pub(crate) const OBJECT: usize = 280;

/// The number of bytes that values without a type may always take: some 200 KB of small objects. The engine of states
/// and the agent hold up to three copies of them.
const ALWAYS: usize = 8 << 20;

/// The bytes that one read takes for values without a type. Beyond [`ALWAYS`] they may take half of what their text
/// takes, so that with its copies the whole stays below eight times the text.
pub(crate) struct Meter {
    len: usize,
    limit: usize,
    spent: Cell<usize>,
    is_over: Cell<bool>,
    releases: bool,
}

impl Meter {
    /// Measures values that stay in memory, of texts with this sum of lengths.
    pub(crate) fn of(len: usize) -> Self {
        let (spent, is_over) = (Cell::new(0), Cell::new(false));
        Self { len, limit: ALWAYS.max(len / 2), spent, is_over, releases: false }
    }

    /// Measures values that are only looked at to find the type of what encloses them.
    pub(crate) fn of_transient(len: usize) -> Self {
        Self { releases: true, ..Self::of(len) }
    }

    /// Reads a value, and measures its parts without a type.
    pub(crate) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<T, serde_path_to_error::Error<D::Error>> {
        serde_path_to_error::deserialize(Metered::new(deserializer, self))
    }

    /// Returns about how many bytes were needed, with the text, if those were too many. Then the result of the read
    /// does not count: some types go on after an error.
    pub(crate) fn excess(&self) -> Option<usize> {
        self.is_over.get().then(|| self.spent.get() + self.len)
    }

    pub(super) fn spend<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let spent = self.spent.get().saturating_add(bytes);
        self.spent.set(spent);
        if spent <= self.limit && !self.is_over.get() {
            return Ok(());
        }
        self.is_over.set(true);
        Err(E::custom("too much JSON to be read without a type"))
    }

    pub(super) fn spent(&self) -> usize {
        self.spent.get()
    }

    /// Ends a value with a type, before which `spent` was spent.
    pub(super) fn end(&self, spent: usize) {
        if self.releases && !self.is_over.get() {
            self.spent.set(spent);
        }
    }
}
