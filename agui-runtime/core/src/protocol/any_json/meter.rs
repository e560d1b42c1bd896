//! Memory that untyped JSON takes after parsing.

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use super::allowance::MemoryAllowance;
use super::metered::MeteredDeserializer;

/// An untyped value, in a list that grows by doubling.
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only a server counts single values"))]
pub(crate) const VALUE: usize = 2 * size_of::<Value>();
/// Additional bytes for a non-empty list, which reserves 4 values at once.
pub(crate) const LIST: usize = 2 * size_of::<Value>();
/// Additional bytes for each object member: its key, and its place in a table.
pub(crate) const MEMBER: usize = 80;
/// Additional bytes for a non-empty object, which reserves 4 members at once.
pub(crate) const OBJECT: usize = 280;

/// Bytes that untyped values may take if their text is short: some 200 KB of small objects.
const SHORT: usize = 8 << 20;

/// The number of state copies that the state engine and the agent hold.
const COPIES: usize = 3;

/// Memory that a body may take, as a multiple of the body length. A byte in a server's budget allows as much.
const TIMES: usize = 8;

/// Bytes that are reserved at once.
const STEP: usize = 64 << 10;

/// Bytes that one read takes for untyped values. The limit is half the text's bytes, so that text, values and copies together stay
/// below eight times the text. Up to [`SHORT`] bytes, values may exceed the limit while the run's [`MemoryAllowance`] lasts.
pub(crate) struct JsonMeter {
    len: usize,
    limit: usize,
    /// Reserved bytes.
    room: Cell<usize>,
    allowance: MemoryAllowance,
    reader: &'static str,
    spent: Cell<usize>,
    is_over: Cell<bool>,
    releases: bool,
}

impl JsonMeter {
    /// Measures values that stay in memory, from texts with this total length. The values replace an earlier read by the same
    /// reader.
    pub(crate) fn new(len: usize, allowance: &MemoryAllowance, reader: &'static str) -> Self {
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

    /// Measures values that are read only to find the enclosing value's type.
    pub(crate) fn transient(mut self) -> Self {
        self.releases = true;
        self
    }

    /// Reads a value, and measures the untyped parts.
    pub(crate) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<T, serde_path_to_error::Error<D::Error>> {
        serde_path_to_error::deserialize(MeteredDeserializer::new(deserializer, self))
    }

    /// Returns the approximate number of bytes needed, with the text, if the limit was exceeded. Such a read's result is not
    /// valid, because some types continue after an error.
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

    /// Reserves `bytes` and a few more.
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

    /// Ends a typed value; `spent` is the number of bytes taken before the value.
    pub(in crate::protocol) fn end(&self, spent: usize) {
        if self.releases && !self.is_over.get() {
            self.spent.set(spent);
        }
    }
}

impl Drop for JsonMeter {
    fn drop(&mut self) {
        if self.is_over.get() {
            self.allowance.set(self.reader, 0);
        }
    }
}
