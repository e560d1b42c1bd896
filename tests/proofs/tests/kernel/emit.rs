//! As much of the runtime's handle as the hub needs.

use super::hub::Hub;
use super::span::Slot;

pub struct Emit {
    hub: Hub,
    author: Slot,
}

impl Emit {
    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    pub(crate) fn author(&self) -> Slot {
        self.author
    }
}
