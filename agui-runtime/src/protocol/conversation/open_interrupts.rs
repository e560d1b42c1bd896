//! The questions that are still open after a run that failed, as a server of stored threads restates them.
//!
//! AG-UI 1.0 closes questions by RUN_FINISHED alone: after RUN_ERROR a client keeps those of an earlier run, also the ones that
//! the failed run has answered. RUN_ERROR of a stored run therefore says which are open.

use serde::Deserialize as _;
use serde_json::Value;

use super::interrupt::Interrupt;
use crate::protocol::events::run::RunErrorEvent;
#[cfg(feature = "server")]
use crate::protocol::metadata::Metadata;

/// The member of the metadata of RUN_ERROR. Other clients ignore it.
const KEY: &str = "agui-rust/openInterrupts";

impl RunErrorEvent {
    /// Says which questions are open.
    #[cfg(feature = "server")]
    pub(crate) fn restate_interrupts(&mut self, open: &[Interrupt]) {
        // Interrupts have a JSON form.
        let open = serde_json::to_value(open).unwrap_or_default();
        self.metadata.get_or_insert_default().merge(Metadata::from_iter([(KEY, open)]));
    }

    /// Returns the questions that are open; `None` if the event does not say.
    pub(crate) fn restated_interrupts(&self) -> Option<Vec<Interrupt>> {
        let Some(Value::Array(open)) = self.metadata.as_ref()?.get(KEY) else { return None };
        open.iter().map(|interrupt| Interrupt::deserialize(interrupt).ok()).collect()
    }
}
