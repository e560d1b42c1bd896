//! Finds names that no type has yet.

use std::collections::BTreeSet;

use super::super::LoweredDirections;
use crate::names::{compatible, identifier, type_identifier};

/// A name allocator that gives each name once.
pub(super) struct FreeNames {
    /// The names that the manifest and earlier slots use, as Python normalizes identifiers.
    taken: BTreeSet<String>,
}

impl FreeNames {
    pub(super) fn new(directions: &LoweredDirections<'_>) -> Self {
        let types = directions.out.definitions.keys().chain(directions.input.definitions.keys());
        Self { taken: types.map(|name| compatible(&type_identifier(name))).collect() }
    }

    /// Takes `wanted`, or `wanted` with a number.
    pub(super) fn name(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        let mut free = wanted.clone();
        let mut count = 1;
        while !self.taken.insert(compatible(&free)) {
            count += 1;
            free = format!("{wanted}{count}");
        }
        free
    }
}
