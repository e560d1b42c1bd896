//! The AG-UI generation that a run's client speaks.

mod legacy;

use crate::protocol::{Event, ProtocolVersion, RunAgentInput};

/// The AG-UI version of the clients that read a run's events.
///
/// Each client is sent what its version has. A client of an earlier 1.x version gets the events without later members: `1.0` has no
/// `encryptedValueType`. RUN_STARTED declares the client's own version then.
///
/// Legacy clients predate AG-UI 1.0 and fail the whole run on unknown events, so they are sent nothing that only 1.0 defines. An
/// input without a `protocolVersion` is taken to come from a legacy client.
///
/// | only in 1.0 | sent to such a client instead |
/// |---|---|
/// | SUBAGENT_STARTED, SUBAGENT_FINISHED, SUBAGENT_ERROR | nothing |
/// | `subagentRunId` on events, on messages in a snapshot, on interrupts | nothing; steps in parallel subagents get unique names |
/// | outcome `success` with `pendingToolCallIds` | no outcome, which reads as success; the calls have no result |
/// | outcome `cancelled` | no outcome, which reads as success: the run did not fail |
/// | parts in a tool result, also in a snapshot | their text, joined |
/// | a part that points to a provider's file, in a snapshot | nothing |
/// | an empty text or reasoning delta | nothing; its metadata and its provider's event are dropped too |
/// | a STATE_DELTA in a run without an earlier STATE_SNAPSHOT | STATE_SNAPSHOT with the client's state, then the delta; from a forwarded stream only a delta that applies |
/// | RUN_ERROR while a span is open ([`break_off`](crate::TextMessage::break_off), a frontend call cut off in its arguments; behind a server also in a handler's stream, and where the server ends the run) | the span's END, then RUN_ERROR |
///
/// The last two rows are for CopilotKit, whose newest versions (runtime 1.75.0) still have a 0.x client. Its `compactEvents`
/// throws if a delta needs more state than the run itself has sent, which ends the CopilotKit runtime's process. When a page loads
/// a thread, that runtime also replays ENDs for open spans after RUN_ERROR, and the client then refuses the whole thread.
///
/// Legacy clients are sent everything else that they accept: metadata, usage, encrypted values, activities, interrupts. Clients up to
/// version 0.0.36 also refuse interleaved messages and calls, see [`SerialStream`](crate::events::SerialStream), and clients before 0.0.45
/// know no reasoning events.
///
/// ```
/// use agui_runtime::Peer;
/// use agui_runtime::protocol::{ProtocolVersion, RunAgentInput};
///
/// let input = RunAgentInput::new("thread", "run", vec![]);
/// assert_eq!(Peer::from_input(&input), Peer::Legacy);
/// assert_eq!(Peer::from_input(&input.with_protocol_version("1.0")), Peer::Speaks(ProtocolVersion::V1_0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Peer {
    /// Speaks a 0.x draft.
    Legacy,
    /// Speaks this version.
    Speaks(ProtocolVersion),
}

impl Peer {
    /// Speaks the version of this crate, or a later one.
    pub const CURRENT: Self = Self::Speaks(ProtocolVersion::LATEST);

    /// Returns the [`Peer`] that an input declares (AG-UI 1.0, `RunAgentInput.protocolVersion`). A later version than this crate's
    /// counts as this crate's.
    ///
    /// ```
    /// use agui_runtime::{Peer, protocol::RunAgentInput};
    ///
    /// let input = RunAgentInput::new("thread", "run", []).with_protocol_version("1.7");
    /// assert_eq!(Peer::from_input(&input), Peer::CURRENT);
    /// ```
    #[must_use]
    pub fn from_input(input: &RunAgentInput) -> Self {
        input
            .protocol_version
            .as_deref()
            .map_or(Self::Legacy, |declared| Self::Speaks(ProtocolVersion::from_declared(declared)))
    }

    /// Returns the newest version whose members the peer reads. The drafts read those of 1.0 that [`legacy`] leaves.
    pub(crate) fn version(self) -> ProtocolVersion {
        match self {
            Self::Legacy => ProtocolVersion::FIRST,
            Self::Speaks(version) => version,
        }
    }

    /// True if this peer distinguishes subagents.
    pub(super) fn reads_tags(self) -> bool {
        self != Self::Legacy
    }

    /// Converts an event from a run that another client started to a form that this peer can read; `None` if the peer must not see
    /// the event.
    #[cfg(feature = "server")]
    pub(crate) fn readable(self, mut event: Event) -> Option<Event> {
        self.admit(&mut event, &mut LostContent::default()).then_some(event)
    }

    /// Converts an event in place to a form that this peer can read. Returns false if the peer must not see the event at all.
    pub(super) fn admit(self, event: &mut Event, lost: &mut LostContent) -> bool {
        let members = event.restrict(self.version());
        lost.members += members.unwrap_or(1);
        members.is_some() && (self != Self::Legacy || legacy::downgrade(event, lost))
    }
}

/// Amount of content that a peer could not read. Counted here and logged elsewhere, because writing a log runs foreign code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LostContent {
    /// Content parts other than text.
    pub parts: usize,
    /// Members and events of later versions.
    pub members: usize,
}

impl LostContent {
    pub(super) fn is_some(self) -> bool {
        self.parts + self.members > 0
    }
}
