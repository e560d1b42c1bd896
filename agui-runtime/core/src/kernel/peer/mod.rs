//! The AG-UI generation that a run's client speaks.

mod legacy;

use crate::protocol::{Event, RunAgentInput};

/// AG-UI generation of the clients that read a run's events.
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
/// Legacy clients are sent everything that they accept: metadata, usage, encrypted values, activities, interrupts. Clients up to
/// version 0.0.36 also refuse interleaved messages and calls, see [`SerialStream`](crate::events::SerialStream), and clients before 0.0.45
/// know no reasoning events.
///
/// ```
/// use agui_runtime::{Peer, protocol::RunAgentInput};
///
/// let input = RunAgentInput::new("thread", "run", vec![]);
/// assert_eq!(Peer::from_input(&input), Peer::Legacy);
/// assert_eq!(Peer::from_input(&input.with_protocol_version("1.0")), Peer::Current);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// Speaks AG-UI 1.0 or later.
    Current,
    /// Speaks a 0.x draft.
    Legacy,
}

impl Peer {
    /// Returns the [`Peer`] that an input declares (AG-UI 1.0, `RunAgentInput.protocolVersion`).
    ///
    /// ```
    /// use agui_runtime::{Peer, protocol::RunAgentInput};
    ///
    /// let input = RunAgentInput::new("thread", "run", []).with_protocol_version("1.0");
    /// assert_eq!(Peer::from_input(&input), Peer::Current);
    /// ```
    #[must_use]
    pub fn from_input(input: &RunAgentInput) -> Self {
        if input.protocol_version.is_some() { Self::Current } else { Self::Legacy }
    }

    /// True if this peer distinguishes subagents.
    pub(super) fn reads_tags(self) -> bool {
        self == Self::Current
    }

    /// Converts an event from a run that another client started to a form that this peer can read; `None` if the peer must not see
    /// the event.
    #[cfg(feature = "server")]
    pub(crate) fn readable(self, event: Event) -> Option<Event> {
        self.admit(event, &mut LostContent::default())
    }

    /// Converts an event to a form that this peer can read; `None` if the peer must not see the event at all.
    pub(super) fn admit(self, event: Event, lost: &mut LostContent) -> Option<Event> {
        match self {
            Self::Current => Some(event),
            Self::Legacy => legacy::downgrade(event, lost),
        }
    }
}

/// Amount of content that a peer could not read. Counted here and logged elsewhere, because writing a log runs foreign code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LostContent {
    /// Content parts other than text.
    pub parts: usize,
}
