//! Events restricted to the version that a client reads, and the report about what the client does not get.

use crate::protocol::{Event, Message, ProtocolVersion};

/// The version that one client reads. A stream reports its losses once: an agent may sign each message of a long run.
#[derive(Debug, Clone, Copy)]
pub(in crate::server) struct VersionRestriction {
    version: ProtocolVersion,
    is_reported: bool,
}

impl VersionRestriction {
    pub(in crate::server) fn new(version: ProtocolVersion) -> Self {
        Self { version, is_reported: false }
    }

    pub(in crate::server) fn version(self) -> ProtocolVersion {
        self.version
    }

    /// Removes the members that the version does not have. Returns false if the version does not have the event.
    pub(in crate::server) fn apply(&mut self, event: &mut Event) -> bool {
        let members = event.restrict(self.version);
        // An event that the version does not have is lost as well.
        self.report(members.unwrap_or(1));
        members.is_some()
    }

    /// Reports that the client does not get as many members and events.
    pub(in crate::server) fn report(&mut self, members: usize) {
        if members > 0 && !std::mem::replace(&mut self.is_reported, true) {
            tracing::warn!(
                members,
                version = %self.version,
                "the client's version of the protocol lacks members or an event of the run; later losses are not reported"
            );
        }
    }
}

/// Removes types without a value, which no producer may send (AG-UI 1.1, section "Messages"), and returns their number.
pub(super) fn remove_lone_types(event: &mut Event) -> usize {
    let messages = match event {
        Event::MessagesSnapshot(snapshot) => &mut snapshot.messages,
        Event::RunStarted(started) => match &mut started.input {
            Some(input) => &mut input.messages,
            None => return 0,
        },
        _ => return 0,
    };
    messages.iter_mut().map(Message::remove_lone_types).sum()
}
