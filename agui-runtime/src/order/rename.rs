//! Renaming of the ids that a verifier remembers, so that states which differ in names only become equal.

use std::hash::Hash;
use std::sync::Arc;

use super::Owner;
use super::table::{ById, Opened, Table};

/// Returns the new name of an id, or `None` to forget it.
pub(super) type Names<'a> = dyn Fn(&str) -> Option<Arc<str>> + 'a;

pub(super) trait Rename {
    fn renamed(&self, names: &Names<'_>) -> Self;
}

/// Renames an id that cannot be forgotten because other state refers to it.
pub(super) fn rename_referenced<I>(id: &I, names: &Names<'_>) -> I
where
    I: AsRef<str> + From<Arc<str>> + Clone,
{
    names(id.as_ref()).map_or_else(|| id.clone(), I::from)
}

impl<V: Rename> Rename for ById<V> {
    fn renamed(&self, names: &Names<'_>) -> Self {
        self.iter().filter_map(|(id, value)| Some((names(id)?, value.renamed(names)))).collect()
    }
}

impl Rename for Table<Owner, ById<Opened>> {
    fn renamed(&self, names: &Names<'_>) -> Self {
        let renamed = self.iter().map(|(owner, steps)| (owner.renamed(names), steps.renamed(names)));
        renamed.filter(|(_, steps)| !steps.is_empty()).collect()
    }
}

impl Rename for Owner {
    fn renamed(&self, names: &Names<'_>) -> Self {
        match self {
            Self::Parent => Self::Parent,
            Self::Subagent(id) => Self::Subagent(rename_referenced(id, names)),
        }
    }
}

impl Rename for Opened {
    fn renamed(&self, _: &Names<'_>) -> Self {
        *self
    }
}

impl Rename for () {
    fn renamed(&self, _: &Names<'_>) -> Self {}
}

impl<K: Eq + Hash, V> FromIterator<(K, V)> for Table<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut table = Self::default();
        table.extend(entries);
        table
    }
}
