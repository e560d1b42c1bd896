//! The spans that chunks have begun and not ended: at most one for each author, in the order in which they began.

use std::collections::HashMap;

use super::head::ChunkedSpan;
use super::{ChunkKind, SpanAuthor};

#[derive(Debug, Clone, Default)]
pub(super) struct ChunkedSpans {
    /// Each span has a number: later spans have greater ones.
    by_author: HashMap<SpanAuthor, (u64, ChunkedSpan)>,
    begun: u64,
}

impl ChunkedSpans {
    pub(super) fn is_empty(&self) -> bool {
        self.by_author.is_empty()
    }

    pub(super) fn get(&self, author: &SpanAuthor) -> Option<&ChunkedSpan> {
        self.by_author.get(author).map(|(_, head)| head)
    }

    /// Adds the newest span.
    pub(super) fn insert(&mut self, author: SpanAuthor, head: ChunkedSpan) {
        self.begun += 1;
        self.by_author.insert(author, (self.begun, head));
    }

    pub(super) fn remove(&mut self, author: &SpanAuthor) -> Option<ChunkedSpan> {
        self.by_author.remove(author).map(|(_, head)| head)
    }

    /// Removes all spans, and returns them in order.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (SpanAuthor, ChunkedSpan)> {
        let mut items: Vec<_> = self.by_author.drain().collect();
        items.sort_unstable_by_key(|(_, (number, _))| *number);
        items.into_iter().map(|(author, (_, head))| (author, head))
    }

    /// Returns the author whose open span has this kind and id.
    pub(super) fn holder(&self, kind: ChunkKind, id: &str) -> Option<&SpanAuthor> {
        let is_it = |head: &ChunkedSpan| head.kind() == kind && head.id() == id;
        self.by_author.iter().find(|(_, (_, head))| is_it(head)).map(|(author, _)| author)
    }

    /// Returns the author of the newest span of this kind, and true if no other span has this kind.
    pub(super) fn newest(&self, kind: ChunkKind) -> Option<(&SpanAuthor, bool)> {
        let mut newest: Option<(&SpanAuthor, u64)> = None;
        let mut count = 0;
        for (author, (number, head)) in &self.by_author {
            if head.kind() == kind {
                count += 1;
                newest = newest.filter(|(_, other)| other > number).or(Some((author, *number)));
            }
        }
        newest.map(|(author, _)| (author, count == 1))
    }
}
