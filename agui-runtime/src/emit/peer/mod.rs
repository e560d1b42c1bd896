mod legacy;

use crate::protocol::{Event, RunAgentInput};

/// Which generation of clients reads a run's events.
///
/// Clients from before AG-UI 1.0 end the whole run on material they do not know, so nothing that only 1.0 defines is
/// sent to them. An input that declares no `protocolVersion` is taken to come from such a client.
///
/// | what only 1.0 knows | what such a client gets |
/// |---|---|
/// | SUBAGENT_STARTED, SUBAGENT_FINISHED, SUBAGENT_ERROR | nothing |
/// | `subagentRunId` on events, on messages of a snapshot, on interrupts | nothing; steps of parallel subagents get names of their own |
/// | outcome `success` with its `pendingToolCallIds` | no outcome, which reads as success; the calls have no result |
/// | outcome `cancelled` | no outcome, which reads as success: a failure it is not |
/// | parts in a tool result, also in a snapshot | their text, joined |
/// | a part that points to a provider's file, in a snapshot | nothing |
/// | a text or reasoning delta that is empty | nothing; metadata and a provider's event on it go with it |
/// | a STATE_DELTA in a run that sent no STATE_SNAPSHOT before it | STATE_SNAPSHOT of what the client holds, then the delta; of a forwarded stream only a delta that applies |
/// | RUN_ERROR while something is open ([`break_off`](crate::TextMessage::break_off), a frontend call cut off in its arguments) | its END, then RUN_ERROR |
///
/// The last two rows are for CopilotKit, whose newest versions (runtime 1.75.0) still have a client of 0.x. Its `compactEvents`
/// throws where a delta needs more than the run itself has said of the state, which ends the process of CopilotKit's runtime;
/// and the runtime replays what was open behind RUN_ERROR when a page loads a thread, and the client refuses the whole thread then.
///
/// What they accept they get: metadata, usage, encrypted values, activities, interrupts. Clients up to version 0.0.36 also
/// refuse interleaved messages and calls, see [`Serial`](crate::Serial), and those before 0.0.45 know no reasoning events.
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
    /// The generation an input declares (AG-UI 1.0, `RunAgentInput.protocolVersion`).
    #[must_use]
    pub fn of(input: &RunAgentInput) -> Self {
        if input.protocol_version.is_some() { Self::Current } else { Self::Legacy }
    }

    /// Whether this peer tells subagents apart.
    pub(super) fn reads_tags(self) -> bool {
        self == Self::Current
    }

    /// The event as this peer can read it, or `None` when it must not see it at all.
    pub(super) fn admit(self, event: Event, lost: &mut Lost) -> Option<Event> {
        match self {
            Self::Current => Some(event),
            Self::Legacy => legacy::downgrade(event, lost),
        }
    }
}

/// How much did not fit into what a peer reads. It is counted here and told elsewhere, since writing a log runs code of
/// others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Lost {
    /// Parts of content that are no text.
    pub parts: usize,
}
