//! The spans that chunks have begun and not ended: at most one for each author, in the order in which they began.

use std::collections::HashMap;

use super::head::Head;
use super::{Author, Kind};

#[derive(Debug, Clone, Default)]
pub(super) struct Items {
    /// Each span has a number: later spans have greater ones.
    by_author: HashMap<Author, (u64, Head)>,
    begun: u64,
}

impl Items {
    pub(super) fn is_empty(&self) -> bool {
        self.by_author.is_empty()
    }

    pub(super) fn get(&self, author: &Author) -> Option<&Head> {
        self.by_author.get(author).map(|(_, head)| head)
    }

    /// Adds the newest span.
    pub(super) fn insert(&mut self, author: Author, head: Head) {
        self.begun += 1;
        self.by_author.insert(author, (self.begun, head));
    }

    pub(super) fn remove(&mut self, author: &Author) -> Option<Head> {
        self.by_author.remove(author).map(|(_, head)| head)
    }

    /// Removes all spans, and returns them in order.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Author, Head)> {
        let mut items: Vec<_> = self.by_author.drain().collect();
        items.sort_unstable_by_key(|(_, (number, _))| *number);
        items.into_iter().map(|(author, (_, head))| (author, head))
    }

    /// Returns the author whose open span has this kind and id.
    pub(super) fn holder(&self, kind: Kind, id: &str) -> Option<&Author> {
        let is_it = |head: &Head| head.kind() == kind && head.id() == id;
        self.by_author.iter().find(|(_, (_, head))| is_it(head)).map(|(author, _)| author)
    }

    /// Returns the author of the newest span of this kind, and true if no other span has this kind.
    pub(super) fn newest(&self, kind: Kind) -> Option<(&Author, bool)> {
        let mut newest: Option<(&Author, u64)> = None;
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
