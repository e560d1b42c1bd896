//! The memory that JSON takes where it is parsed without a type.

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use super::allowance::Allowance;
use super::metered::Metered;

/// A value without a type, in a list that grows by doubling.
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only a server counts single values"))]
pub(crate) const VALUE: usize = 2 * size_of::<Value>();
/// The additional bytes of a list that is not empty: it has room for 4 values at once.
pub(crate) const LIST: usize = 2 * size_of::<Value>();
/// The additional bytes of each member of an object: its key, and its place in a table.
pub(crate) const MEMBER: usize = 80;
/// The additional bytes of an object that is not empty: it has room for 4 members at once.
pub(crate) const OBJECT: usize = 280;

/// The number of bytes that values without a type may take if their text is short: some 200 KB of small objects.
const SHORT: usize = 8 << 20;

/// The number of copies of a state that its engine and the agent hold.
const COPIES: usize = 3;

/// The memory that a body may take, as a multiple of its length. A byte of a server's budget allows as much.
const TIMES: usize = 8;

/// The number of bytes that are reserved at once.
const STEP: usize = 64 << 10;

/// The bytes that one read takes for values without a type. They may take half as many bytes as their text, so that the
/// text, the values and their copies together stay below eight times the text. Up to [`SHORT`] bytes they may take
/// more, if the [`Allowance`] of the run has as many left.
pub(crate) struct Meter {
    len: usize,
    limit: usize,
    /// The number of reserved bytes.
    room: Cell<usize>,
    allowance: Allowance,
    reader: &'static str,
    spent: Cell<usize>,
    is_over: Cell<bool>,
    releases: bool,
}

impl Meter {
    /// Measures values that stay in memory, of texts with this sum of lengths. They replace the values of an earlier
    /// read by the same reader.
    pub(crate) fn new(len: usize, allowance: &Allowance, reader: &'static str) -> Self {
        Self {
            len,
            limit: SHORT.max(len / 2),
            room: Cell::new(len / 2),
            allowance: allowance.clone(),
            reader,
            spent: Cell::new(0),
            is_over: Cell::new(false),
            releases: false,
        }
    }

    /// Measures values that are read only to find the type of the value that encloses them.
    pub(crate) fn transient(mut self) -> Self {
        self.releases = true;
        self
    }

    /// Reads a value, and measures its parts without a type.
    pub(crate) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<T, serde_path_to_error::Error<D::Error>> {
        serde_path_to_error::deserialize(Metered::new(deserializer, self))
    }

    /// Returns the approximate number of bytes that were needed, with the text, if there were too many. The result of
    /// the read is not valid then, because some types continue after an error.
    pub(crate) fn excess(&self) -> Option<usize> {
        self.is_over.get().then(|| self.spent.get() + self.len)
    }

    pub(in crate::protocol) fn spend<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let spent = self.spent.get().saturating_add(bytes);
        self.spent.set(spent);
        if !self.is_over.get() && (spent <= self.room.get() || spent <= self.limit && self.has_room(spent)) {
            return Ok(());
        }
        self.is_over.set(true);
        Err(E::custom("too much JSON to be read without a type"))
    }

    /// Reserves this number of bytes, and a few more.
    fn has_room(&self, bytes: usize) -> bool {
        let room = bytes.saturating_add(STEP).min(self.limit);
        let more = room.saturating_sub(self.len / 2);
        let has_room = self.allowance.set(self.reader, more.saturating_mul(COPIES).div_ceil(TIMES));
        if has_room {
            self.room.set(room);
        }
        has_room
    }

    pub(in crate::protocol) fn spent(&self) -> usize {
        self.spent.get()
    }

    /// Ends a value with a type; `spent` is the number of bytes that were taken before it.
    pub(in crate::protocol) fn end(&self, spent: usize) {
        if self.releases && !self.is_over.get() {
            self.spent.set(spent);
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.is_over.get() {
            self.allowance.set(self.reader, 0);
        }
    }
}
