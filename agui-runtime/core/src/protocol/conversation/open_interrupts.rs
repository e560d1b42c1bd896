//! Interrupts that are still open after a failed run, as a server with stored threads restates them.
//!
//! AG-UI 1.0 closes interrupts only by RUN_FINISHED: after RUN_ERROR a client keeps an earlier run's interrupts, also the ones
//! that the failed run has resumed. A stored run's RUN_ERROR therefore lists the open interrupts.

use serde::Deserialize as _;
use serde_json::Value;

use super::interrupt::Interrupt;
use crate::protocol::events::run::RunErrorEvent;
#[cfg(feature = "server")]
use crate::protocol::metadata::Metadata;

/// The member in RUN_ERROR's metadata. Other clients ignore it.
const KEY: &str = "agui-rust/openInterrupts";

impl RunErrorEvent {
    /// Lists the open interrupts.
    #[cfg(feature = "server")]
    pub(crate) fn restate_interrupts(&mut self, open: &[Interrupt]) {
        // Interrupts have a JSON form.
        let open = serde_json::to_value(open).unwrap_or_default();
        self.metadata.get_or_insert_default().merge(Metadata::from_iter([(KEY, open)]));
    }

    /// Returns the open interrupts; `None` if the event has no list.
    pub(crate) fn restated_interrupts(&self) -> Option<Vec<Interrupt>> {
        let Some(Value::Array(open)) = self.metadata.as_ref()?.get(KEY) else { return None };
        open.iter().map(|interrupt| Interrupt::deserialize(interrupt).ok()).collect()
    }
}
