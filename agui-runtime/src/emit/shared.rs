//! The parts of a run that all its handles share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::RequestValues;
use super::resume_by_asker::ResumeByAsker;
use crate::consent::Consent;
use crate::kernel::{Clock, Hub, Ids, Peer};
use crate::protocol::RunAgentInput;

/// The parts of one run that all its handles share: the hub, the questions and answers, and the values of its request.
pub(crate) struct Shared {
    hub: Hub,
    consent: Consent,
    request: RequestValues,
    reveals_errors: bool,
    answers: OnceLock<ResumeByAsker>,
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
            answers: OnceLock::new(),
        }
    }

    pub(crate) fn with_request(self, request: RequestValues) -> Self {
        Self { request, ..self }
    }

    pub(crate) fn reveal_errors(self, reveals_errors: bool) -> Self {
        Self { reveals_errors, ..self }
    }

    /// Returns true if the client sees the text of every error.
    pub(crate) fn reveals_errors(&self) -> bool {
        self.reveals_errors
    }

    pub(crate) fn request(&self) -> &RequestValues {
        &self.request
    }

    pub(crate) fn consent(&self) -> &Consent {
        &self.consent
    }

    /// Returns the answers of the run by the agent that asked.
    pub(crate) fn answers(&self) -> &ResumeByAsker {
        self.answers.get_or_init(|| ResumeByAsker::of(self.input().resume()))
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
        let consent =
            Consent::new(Default::default(), || crate::manifest::AgentSource::new("none"), Clock::silent());
        let request = RequestValues::default();
        Self { hub, consent, request, reveals_errors: false, answers: OnceLock::new() }
    }
}
