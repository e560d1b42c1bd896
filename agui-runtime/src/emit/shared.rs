use std::ops::Deref;
use std::sync::Arc;

use super::{Clock, Hub, Ids, Peer};
use crate::agent::Consent;
use crate::protocol::RunAgentInput;

/// All parts of one run share this: the way to the wire, and the answers that count.
pub(crate) struct Shared {
    hub: Hub,
    consent: Consent,
}

impl Shared {
    pub(crate) fn new(
        input: Arc<RunAgentInput>,
        consent: Consent,
        room: usize,
        ids: Ids,
        clock: Clock,
        peer: Peer,
    ) -> Self {
        Self { hub: Hub::new(input, room, ids, clock, peer), consent }
    }

    pub(crate) fn consent(&self) -> &Consent {
        &self.consent
    }
}

impl Deref for Shared {
    type Target = Hub;

    fn deref(&self) -> &Hub {
        &self.hub
    }
}

#[cfg(test)]
impl From<Hub> for Shared {
    fn from(hub: Hub) -> Self {
        let consent = Consent::new(Default::default(), || crate::manifest::AgentSource::new("nobody"));
        Self { hub, consent }
    }
}
