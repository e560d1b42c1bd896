//! The generation of AG-UI that the client of a run speaks.

mod legacy;

use crate::protocol::{Event, RunAgentInput};

/// The generation of the clients that read a run's events.
///
/// Legacy clients, which are older than AG-UI 1.0, fail the whole run on events that they do not know, so they are sent
/// nothing that only 1.0 defines. An input without a `protocolVersion` is taken to come from a legacy client.
///
/// | only in 1.0 | sent to such a client instead |
/// |---|---|
/// | SUBAGENT_STARTED, SUBAGENT_FINISHED, SUBAGENT_ERROR | nothing |
/// | `subagentRunId` on events, on messages of a snapshot, on interrupts | nothing; steps of parallel subagents get names of their own |
/// | outcome `success` with its `pendingToolCallIds` | no outcome, which reads as success; the calls have no result |
/// | outcome `cancelled` | no outcome, which reads as success: the run did not fail |
/// | parts in a tool result, also in a snapshot | their text, joined |
/// | a part that points to a provider's file, in a snapshot | nothing |
/// | a text or reasoning delta that is empty | nothing; its metadata and its provider's event are dropped too |
/// | a STATE_DELTA in a run that sent no STATE_SNAPSHOT before it | STATE_SNAPSHOT of the client's state, then the delta; of a forwarded stream only a delta that applies |
/// | RUN_ERROR while something is open ([`break_off`](crate::TextMessage::break_off), a frontend call cut off in its arguments; behind a server also in the stream of a handler, and where the server ends the run) | its END, then RUN_ERROR |
///
/// The last two rows are for CopilotKit, whose newest versions (runtime 1.75.0) still have a client of 0.x. Its
/// `compactEvents` throws if a delta needs more of the state than the run itself has sent, which ends the process of
/// CopilotKit's runtime. When a page loads a thread, the runtime also replays the ENDs of open spans after RUN_ERROR,
/// and the client then refuses the whole thread.
///
/// They are sent everything that they accept: metadata, usage, encrypted values, activities, interrupts. Clients up to
/// version 0.0.36 also refuse interleaved messages and calls, see [`Serial`](crate::events::Serial), and those before 0.0.45
/// know no reasoning events.
///
/// ```
/// use agui_runtime::{Peer, protocol::RunAgentInput};
///
/// let input = RunAgentInput::new("thread", "run", vec![]);
/// assert_eq!(Peer::of(&input), Peer::Legacy);
/// assert_eq!(Peer::of(&input.with_protocol_version("1.0")), Peer::Current);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// Speaks AG-UI 1.0 or later.
    Current,
    /// Speaks a 0.x draft.
    Legacy,
}

impl Peer {
    /// Returns the generation that an input declares (AG-UI 1.0, `RunAgentInput.protocolVersion`).
    ///
    /// ```
    /// use agui_runtime::{Peer, protocol::RunAgentInput};
    ///
    /// let input = RunAgentInput::new("thread", "run", []).with_protocol_version("1.0");
    /// assert_eq!(Peer::of(&input), Peer::Current);
    /// ```
    #[must_use]
    pub fn of(input: &RunAgentInput) -> Self {
        if input.protocol_version.is_some() { Self::Current } else { Self::Legacy }
    }

    /// Returns true if this peer distinguishes subagents.
    pub(super) fn reads_tags(self) -> bool {
        self == Self::Current
    }

    /// Returns an event of a run that another client started in a form that this peer can read; `None` if it must not
    /// see the event.
    #[cfg(feature = "server")]
    pub(crate) fn readable(self, event: Event) -> Option<Event> {
        self.admit(event, &mut Lost::default())
    }

    /// Converts an event to a form that this peer can read, or returns `None` if it must not see the event at all.
    pub(super) fn admit(self, event: Event, lost: &mut Lost) -> Option<Event> {
        match self {
            Self::Current => Some(event),
            Self::Legacy => legacy::downgrade(event, lost),
        }
    }
}

/// The amount of content that a peer could not read. It is counted here and logged elsewhere, because writing a log
/// runs foreign code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Lost {
    /// Parts of content that are not text.
    pub parts: usize,
}
