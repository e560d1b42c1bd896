//! Maps from ids to a verifier's state.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A map from ids that can be compared and hashed as a whole, in any entry order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparableMap<K, V>(HashMap<K, V>)
where
    K: Eq + Hash;

/// Map keyed by id.
pub(super) type IdMap<V> = ComparableMap<Arc<str>, V>;

impl<K: Eq + Hash, V> Default for ComparableMap<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, V> std::ops::Deref for ComparableMap<K, V> {
    type Target = HashMap<K, V>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K: Eq + Hash, V> std::ops::DerefMut for ComparableMap<K, V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<K: Eq + Hash, V: Hash> Hash for ComparableMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut sum = 0_u64;
        for entry in &self.0 {
            let mut hasher = std::hash::DefaultHasher::new();
            entry.hash(&mut hasher);
            sum = sum.wrapping_add(hasher.finish());
        }
        state.write_usize(self.0.len());
        state.write_u64(sum);
    }
}

/// When a span was opened, for reports only: verdicts do not depend on the time, so equality ignores it.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpeningTime(pub(super) u64);

impl PartialEq for OpeningTime {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for OpeningTime {}

impl Hash for OpeningTime {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
