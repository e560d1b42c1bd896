//! Memory that one run's values may take, where a server bounds the memory for all runs together.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A run's share in a server's memory budget.
pub(crate) trait MemoryShare: Send + Sync {
    /// Takes more bytes. Returns false if the budget is exhausted.
    fn take(&self, bytes: usize) -> bool;

    /// Returns taken bytes to the budget.
    fn give_back(&self, bytes: usize);
}

/// Bytes that a run took for untyped values. Unlimited without a server.
#[derive(Clone, Default)]
pub(crate) struct MemoryAllowance(Option<Arc<AllowanceShared>>);

struct AllowanceShared {
    account: Arc<dyn MemoryShare>,
    /// Bytes per reader: a new read replaces the same reader's earlier read.
    by_reader: Mutex<Vec<(&'static str, usize)>>,
}

impl MemoryAllowance {
    #[cfg(feature = "server")]
    pub(crate) fn new(account: Arc<dyn MemoryShare>) -> Self {
        Self(Some(Arc::new(AllowanceShared { account, by_reader: Mutex::default() })))
    }

    /// Returns this allowance, or `other` if this one has no limit.
    #[cfg(any(feature = "server", feature = "tool-servers"))]
    pub(crate) fn or(self, other: &Self) -> Self {
        Self(self.0.or_else(|| other.0.clone()))
    }

    /// Sets the bytes that one reader takes. Returns false and changes nothing if the budget lacks the bytes.
    pub(in crate::protocol) fn set(&self, reader: &'static str, bytes: usize) -> bool {
        let Some(taken) = &self.0 else { return true };
        let mut by_reader = taken.by_reader.lock().unwrap_or_else(PoisonError::into_inner);
        let known = by_reader.iter_mut().find(|(known, _)| *known == reader);
        let before = known.as_ref().map_or(0, |(_, before)| *before);
        if bytes > before && !taken.account.take(bytes - before) {
            return false;
        }
        taken.account.give_back(before.saturating_sub(bytes));
        match known {
            Some((_, before)) => *before = bytes,
            None => by_reader.push((reader, bytes)),
        }
        true
    }
}

impl fmt::Debug for MemoryAllowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Allowance").field("is_limited", &self.0.is_some()).finish()
    }
}
