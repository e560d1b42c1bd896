//! Maps of every kind.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use indexmap::IndexMap;

use super::super::{Sample, Source};

macro_rules! maps {
    ($($map:ident: $($bound:ident)*;)*) => {$(
        impl<K: Sample + Clone $(+ $bound)*, V: Sample> Sample for $map<K, V> {
            fn sample(source: &mut Source<'_>) -> Self {
                source.deeper(|source| {
                    (0..source.len(5)).map(|_| (K::sample(source), V::sample(source))).collect()
                })
            }

            /// A member is added, removed, changed or renamed.
            fn nudge(&mut self, source: &mut Source<'_>) {
                let place = source.below(self.len().max(1));
                let key = self.key_at(place);
                match (source.below(4), key) {
                    (0, _) | (_, None) => drop(self.insert(K::sample(source), V::sample(source))),
                    (1, Some(key)) => drop(taken(self, &key)),
                    (2, Some(key)) => {
                        if let Some(value) = taken(self, &key) {
                            self.insert(K::sample(source), value);
                        }
                    }
                    (_, Some(key)) => {
                        if let Some(value) = self.get_mut(&key) {
                            value.nudge(source);
                        }
                    }
                }
            }
        }
    )*};
}

/// The common methods of maps for [`maps!`].
trait Take<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V>;

    /// In an order that is the same in every run.
    fn key_at(&self, place: usize) -> Option<K>;
}

impl<K: Ord + Clone, V> Take<K, V> for BTreeMap<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V> {
        self.remove(key)
    }

    fn key_at(&self, place: usize) -> Option<K> {
        self.keys().nth(place).cloned()
    }
}

impl<K: Eq + Hash + Ord + Clone, V> Take<K, V> for HashMap<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V> {
        self.remove(key)
    }

    fn key_at(&self, place: usize) -> Option<K> {
        let mut keys: Vec<&K> = self.keys().collect();
        keys.sort();
        keys.get(place).copied().cloned()
    }
}

impl<K: Eq + Hash + Clone, V> Take<K, V> for IndexMap<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V> {
        self.shift_remove(key)
    }

    fn key_at(&self, place: usize) -> Option<K> {
        self.get_index(place).map(|(key, _)| key.clone())
    }
}

fn taken<K, V, M: Take<K, V>>(map: &mut M, key: &K) -> Option<V> {
    map.take_out(key)
}

maps! {
    BTreeMap: Ord;
    HashMap: Eq Hash Ord;
    IndexMap: Eq Hash;
}
