//! A path into a document, while a stage walks it.

use std::fmt::Write as _;

/// A path that grows and shrinks with the walk.
#[derive(Debug, Default)]
pub(super) struct FramePath(String);

/// The path's length before it grew.
pub(super) struct ParentLength(usize);

impl FramePath {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Enters a member, by key, or an element, by index.
    pub(super) fn enter(&mut self, segment: impl std::fmt::Display) -> ParentLength {
        let above = ParentLength(self.0.len());
        // Writing to a string cannot fail.
        let _ = write!(self.0, "/{segment}");
        above
    }

    /// Returns to the path before [`enter`](Self::enter).
    pub(super) fn leave(&mut self, above: &ParentLength) {
        self.0.truncate(above.0);
    }
}
