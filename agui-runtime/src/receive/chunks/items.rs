//! The items that chunks have begun and that have not ended: at most one of each author, in the order in which they began.

use std::collections::HashMap;

use super::head::Head;
use super::{Author, Kind};

#[derive(Debug, Clone, Default)]
pub(super) struct Items {
    /// With each item its number: later items have greater ones.
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

    /// Adds the newest item.
    pub(super) fn insert(&mut self, author: Author, head: Head) {
        self.begun += 1;
        self.by_author.insert(author, (self.begun, head));
    }

    pub(super) fn remove(&mut self, author: &Author) -> Option<Head> {
        self.by_author.remove(author).map(|(_, head)| head)
    }

    /// Removes all items, and returns them in their order.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Author, Head)> {
        let mut items: Vec<_> = self.by_author.drain().collect();
        items.sort_unstable_by_key(|(_, (number, _))| *number);
        items.into_iter().map(|(author, (_, head))| (author, head))
    }

    /// Returns the author of the item of this kind with this id.
    pub(super) fn holder(&self, kind: Kind, id: &str) -> Option<&Author> {
        let is_it = |head: &Head| head.kind() == kind && head.id() == id;
        self.by_author.iter().find(|(_, (_, head))| is_it(head)).map(|(author, _)| author)
    }

    /// Returns the author of the newest item of this kind, and true if it is the only item of this kind.
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
