//! `Tracked<BTreeMap<K, V>>`.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use super::super::engine::{PatchText, StatePath};
use super::super::{MapKey, StateNode};
use super::tracked::{Log, Tracked, TrackedCollection};

/// The number of keys up to which changes are recorded; with more, comparing the whole map is as cheap.
const ENTRIES: usize = 64;

/// The touched members since the last flush.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct MapLog<K> {
    touched: Vec<K>,
    is_given_up: bool,
}

impl<K> Default for MapLog<K> {
    fn default() -> Self {
        Self { touched: Vec::new(), is_given_up: false }
    }
}

impl<K: Clone> Log for MapLog<K> {
    fn clear(&mut self) {
        self.touched.clear();
        self.is_given_up = false;
    }

    fn give_up(&mut self) {
        self.is_given_up = true;
    }

    fn is_given_up(&self) -> bool {
        self.is_given_up
    }
}

impl<K: Eq> MapLog<K> {
    fn touched(&mut self, key: K) {
        if self.is_given_up || self.touched.contains(&key) {
            return;
        }
        if self.touched.len() == ENTRIES {
            self.is_given_up = true;
        } else {
            self.touched.push(key);
        }
    }
}

impl<K: MapKey + Ord, V: StateNode> TrackedCollection for BTreeMap<K, V> {
    type Log = MapLog<K>;

    fn replay(&mut self, now: &Self, log: &MapLog<K>, at: &StatePath<'_>, out: &mut PatchText) -> Option<()> {
        for key in &log.touched {
            match (self.get_mut(key), now.get(key)) {
                (None, None) => {}
                (Some(old), Some(now)) => old.sync(now, &at.key(key), out),
                (None, Some(now)) => {
                    out.insert(&at.key(key), now);
                    self.insert(key.clone(), now.clone());
                }
                (Some(_), None) => {
                    out.remove(&at.key(key));
                    self.remove(key);
                }
            }
        }
        (self.len() == now.len()).then_some(())
    }
}

impl<K: MapKey + Ord, V: StateNode> Tracked<BTreeMap<K, V>> {
    /// Sets a member and returns the previous value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.record().touched(key.clone());
        self.inner.insert(key, value)
    }

    /// Removes and returns a member.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (key, value) = self.inner.remove_entry(key)?;
        self.record().touched(key);
        Some(value)
    }

    /// Returns a member for changes.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (own, _) = self.inner.get_key_value(key)?;
        let own = own.clone();
        self.record().touched(own);
        self.inner.get_mut(key)
    }

    /// Returns a member for changes, and inserts it first if it does not exist.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        self.record().touched(key.clone());
        self.inner.entry(key).or_insert_with(make)
    }
}

impl<'a, K: MapKey + Ord, V: StateNode> IntoIterator for &'a Tracked<BTreeMap<K, V>> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::collections::btree_map::Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.inner.iter()
    }
}
