//! Values that are made once for all holders of the same key, and dropped with the last holder.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::OnceCell;

/// Shared cells by key.
pub(crate) struct SharedCells<K, V>(Mutex<HashMap<K, Weak<OnceCell<V>>>>);

impl<K, V> Default for SharedCells<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + Eq + Hash, V> SharedCells<K, V> {
    /// Returns the key's cell: shared with other holders, or empty.
    pub(crate) fn cell(&self, key: &K) -> Arc<OnceCell<V>> {
        let mut cells = self.lock();
        if let Some(cell) = cells.get(key).and_then(Weak::upgrade) {
            return cell;
        }
        if cells.len() == cells.capacity() {
            cells.retain(|_, cell| cell.strong_count() > 0);
        }
        let cell = Arc::default();
        cells.insert(key.clone(), Arc::downgrade(&cell));
        cell
    }

    /// Forgets a cell: the next caller makes a new value.
    pub(super) fn forget(&self, key: &K) {
        self.lock().remove(key);
    }
}

impl<K, V> SharedCells<K, V> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Weak<OnceCell<V>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V> fmt::Debug for SharedCells<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedCells").field(&self.lock().len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shared_while_a_caller_holds_its_cell() {
        let cells = SharedCells::<u32, u32>::default();
        let first = cells.cell(&1);
        first.set(7).unwrap();
        assert_eq!(cells.cell(&1).get(), Some(&7));
        cells.forget(&1);
        assert_eq!((cells.cell(&1).get(), first.get()), (None, Some(&7)));
        let second = cells.cell(&2);
        second.set(8).unwrap();
        drop(second);
        assert_eq!(cells.cell(&2).get(), None);
    }
}
