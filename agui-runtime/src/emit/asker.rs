//! Who asks, as the ids of typed questions say it: the ids of subagents are others in each run, so it is the path of the names that
//! were delegated to, each with which of that name it was.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::question_id::escape;

/// One agent of a run. The run's own has the empty path.
#[derive(Debug, Default)]
pub(crate) struct Asker {
    path: String,
    delegated: Mutex<HashMap<String, u64>>,
}

impl Asker {
    /// `name:1/name:2`, names escaped.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The next one of that name this one delegates to.
    pub(super) fn delegate(&self, name: &str) -> Self {
        let name = escape(name);
        let mut delegated = self.delegated.lock().unwrap_or_else(PoisonError::into_inner);
        let count = delegated.entry(name.clone()).or_default();
        *count += 1;
        let step = format!("{name}:{count}");
        let path = if self.path.is_empty() { step } else { format!("{}/{step}", self.path) };
        Self { path, delegated: Mutex::default() }
    }
}
