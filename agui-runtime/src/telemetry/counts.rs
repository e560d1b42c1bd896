//! The work of one agent in one run.

use std::sync::atomic::{AtomicU32, Ordering};

/// The requests to models and the calls of tools of one agent, without those of its subagents.
#[derive(Debug, Default)]
#[cfg_attr(
    not(all(feature = "metrics", feature = "model")),
    allow(dead_code, reason = "models are counted for metrics")
)]
pub(crate) struct Counts {
    inferences: AtomicU32,
    tool_calls: AtomicU32,
}

impl Counts {
    #[cfg(feature = "model")]
    pub(crate) fn inference(&self) {
        self.inferences.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn tool_call(&self) {
        self.tool_calls.fetch_add(1, Ordering::Relaxed);
    }

    #[cfg(feature = "metrics")]
    pub(super) fn read(&self) -> (u32, u32) {
        (self.inferences.load(Ordering::Relaxed), self.tool_calls.load(Ordering::Relaxed))
    }
}
