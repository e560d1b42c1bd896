//! Maps from ids to a verifier's state.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A map from ids that can be compared and hashed as a whole, in any entry order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table<K, V>(HashMap<K, V>)
where
    K: Eq + Hash;

/// Map keyed by id.
pub(super) type ById<V> = Table<Arc<str>, V>;

impl<K: Eq + Hash, V> Default for Table<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, V> std::ops::Deref for Table<K, V> {
    type Target = HashMap<K, V>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K: Eq + Hash, V> std::ops::DerefMut for Table<K, V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<K: Eq + Hash, V: Hash> Hash for Table<K, V> {
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
pub(super) struct Opened(pub(super) u64);

impl PartialEq for Opened {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Opened {}

impl Hash for Opened {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
