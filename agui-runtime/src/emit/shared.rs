use std::ops::Deref;
use std::sync::Arc;

use super::{Clock, Hub, Ids, Peer, RequestValues};
use crate::agent::Consent;
use crate::protocol::RunAgentInput;

/// All parts of one run share this: the way to the wire, the answers that count, and the values that came with its request.
pub(crate) struct Shared {
    hub: Hub,
    consent: Consent,
    request: RequestValues,
    reveals_errors: bool,
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
        Self {
            hub: Hub::new(input, room, ids, clock, peer),
            consent,
            request: RequestValues::default(),
            reveals_errors: false,
        }
    }

    pub(crate) fn with_request(self, request: RequestValues) -> Self {
        Self { request, ..self }
    }

    pub(crate) fn reveal_errors(self, reveals_errors: bool) -> Self {
        Self { reveals_errors, ..self }
    }

    /// Whether the client sees the text of every error.
    pub(crate) fn reveals_errors(&self) -> bool {
        self.reveals_errors
    }

    pub(crate) fn request(&self) -> &RequestValues {
        &self.request
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
        Self { hub, consent, request: RequestValues::default(), reveals_errors: false }
    }
}
