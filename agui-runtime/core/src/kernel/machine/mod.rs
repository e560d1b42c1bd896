//! The kernel: the one state machine that can put an event on the wire.
//!
//! Rules that hold whatever the callers do (the kernel's tests use the numbers):
//!
//! 1. Every entry point is total and synchronous, so a write can be cancelled only before it happened; a START and the
//!    right to end the span are made in one step.
//! 2. The kernel never refuses because the queue is full: content waits before the kernel, ENDs and the terminal event do
//!    not wait.
//! 3. The kernel runs no user code: no serde, no user closures, no wakers, no user destructors.
//! 4. Slots are never reused: a handle that outlives its span writes nothing.
//! 5. No event follows the terminal event, and an ended author writes no event.
//! 6. Closing a span first closes the enclosed spans, newest first.
//! 7. Open steps get unique names, because the wire knows steps by name and author.
//! 8. The conversation is restated only while nothing in the conversation is open.
//! 9. Closing depends on the span: text, reasoning and steps END; a backend call gets an error as result; a frontend call
//!    cut off in its arguments is not ended, unless the run is cancelled.
//! 10. The terminal event closes everything before, names the calls without a result, and is the last. RUN_ERROR leaves
//!     messages open that break off there, and calls with cut-off arguments; for a legacy client both are closed as well.
//! 11. A legacy client gets a run's whole state before the first change.
//!
//! Plain data without locks or wakers ([`Hub`](super::Hub) has both), so that tests can visit all states.

mod activities;
mod agent_paths;
mod calls;
mod conversation;
mod end;
mod messages;
mod restate;
mod scopes;
mod send;
mod spans;
mod state;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use self::agent_paths::AgentPath;
use self::conversation::{ClientConversation, ClientMessageKind};
use self::state::SharedState;
use super::fields::following;
use super::peer::LostContent;
use super::question_id::TypedInterruptId;
use super::span::{ROOT, RunSpan, SpanSlot};
use super::{Clock, Ids, Peer, WriteFields};
#[cfg(feature = "model")]
use crate::protocol::ProtocolVersion;
use crate::protocol::{
    Content, Event, EventType, InterruptId, Message, MessageId, PROTOCOL_VERSION, RunAgentInput, RunId,
    RunStartedEvent, SubagentRunId, ThreadId, TokenUsage, ToolCallId,
};

pub(crate) use calls::{CallResumeRefusal, CallStart, ForeignResult};
pub(crate) use end::TerminalOutcome;
pub(crate) use messages::{ParentMessage, TextStart};
pub(crate) use scopes::SubagentEnd;
#[cfg(feature = "server")]
pub(crate) use state::LegacyState;

#[derive(Clone, Debug)]
pub(crate) struct RunKernel {
    pub(crate) queue: VecDeque<Event>,
    pub(super) ended: bool,
    /// True if a span was closed since the last query.
    closed: bool,
    /// Boxed, because a map reserves eleven entries at once.
    pub(super) spans: BTreeMap<SpanSlot, Box<SpanEntry>>,
    last_slot: SpanSlot,
    /// Open steps by author and name. The number is where the search for the next free name with that stem begins.
    pub(super) steps: HashMap<(Option<SubagentRunId>, String), u64>,
    /// This run's frontend calls in START order: `pendingToolCallIds` must name these calls.
    pub(super) pending: BTreeMap<SpanSlot, PendingCallEntry>,
    /// Calls that are left to interrupts: without a result if the run ends in such an interrupt, abandoned otherwise.
    pub(super) left: BTreeMap<SpanSlot, LeftCall>,
    /// Frontend calls with cut-off arguments; such a run can only fail or be cancelled.
    pub(super) cut_off: Vec<CutOffCall>,
    /// Ids that must not be given again: ids from foreign streams, and ids from earlier runs that this run could make.
    pub(super) taken: HashSet<String>,
    /// Messages that break off: a failing run does not end these messages.
    broken_off: Vec<SpanSlot>,
    /// Calls from earlier runs that this run resumed, with their slots.
    pub(super) resumed: HashMap<ToolCallId, SpanSlot>,
    /// Results that this run sent for calls from earlier runs: the input's conversation lacks these results.
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads them"))]
    pub(crate) results: HashMap<ToolCallId, Content>,
    pub(crate) conversation: ClientConversation,
    /// The number of messages in restated conversations that got other ids since the last query.
    renamed: usize,
    /// A called backend tool that the user interface declares too; such a run can only fail or be cancelled.
    claimed: Option<Cow<'static, str>>,
    /// By slot; an author without an entry has not raised an interrupt or delegated yet.
    agent_paths: HashMap<SpanSlot, AgentPath>,
    usage: Vec<TokenUsage>,
    /// The number of sent events.
    said: u64,
    pub(super) chunked: Option<ChunkPosition>,
    thread_id: ThreadId,
    run_id: RunId,
    ids: Ids,
    clock: Clock,
    peer: Peer,
    /// True if events go out unchanged, except for tags and fields.
    is_plain: bool,
    lost: LostContent,
    state: SharedState,
}

/// An open span with its enclosing span and its author.
#[derive(Clone, Debug)]
pub(super) struct SpanEntry {
    pub(super) span: RunSpan,
    pub(super) parent: SpanSlot,
    pub(super) tag: Option<SubagentRunId>,
    /// The number of open spans directly inside.
    children: usize,
}

#[derive(Clone, Debug)]
pub(super) struct PendingCallEntry {
    pub(super) id: ToolCallId,
    /// True if the call came from a foreign stream, which may send the result.
    pub(super) foreign: bool,
    /// True for a frontend call.
    frontend: bool,
    carrier: Option<MessageId>,
}

/// Span of the last chunk, and the number of events sent with that chunk.
#[derive(Clone, Debug)]
pub(super) struct ChunkPosition {
    pub(super) kind: EventType,
    pub(super) id: String,
    pub(super) said: u64,
}

#[derive(Clone, Debug)]
pub(super) struct OwedResult {
    pub(super) id: ToolCallId,
    tag: Option<SubagentRunId>,
}

/// A call that is left to interrupts.
#[derive(Clone, Debug)]
pub(super) struct LeftCall {
    pub(super) owed: OwedResult,
    /// Interrupts of the call's subagent; `None` if an interrupt is about the call itself.
    pub(super) of_subagent: Option<Vec<InterruptId>>,
}

#[derive(Clone, Debug)]
pub(super) struct CutOffCall {
    pub(super) id: ToolCallId,
    tool: Cow<'static, str>,
    tag: Option<SubagentRunId>,
}

impl RunKernel {
    pub(crate) fn new(input: &RunAgentInput, ids: Ids, clock: Clock, peer: Peer) -> Self {
        Self {
            queue: VecDeque::new(),
            ended: false,
            closed: false,
            spans: BTreeMap::new(),
            last_slot: ROOT,
            steps: HashMap::new(),
            pending: BTreeMap::new(),
            left: BTreeMap::new(),
            cut_off: Vec::new(),
            broken_off: Vec::new(),
            taken: Self::reserved_ids(input, &ids),
            resumed: HashMap::new(),
            results: HashMap::new(),
            conversation: ClientConversation::from_input(input),
            renamed: 0,
            claimed: None,
            agent_paths: HashMap::new(),
            usage: Vec::new(),
            said: 0,
            chunked: None,
            thread_id: input.thread_id.clone(),
            run_id: input.run_id.clone(),
            ids,
            is_plain: clock.is_silent() && peer == Peer::CURRENT,
            clock,
            peer,
            lost: LostContent::default(),
            state: SharedState::default(),
        }
    }

    pub(crate) fn start(&mut self, input: &RunAgentInput, fields: WriteFields) {
        let mut started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
            .with_protocol_version(PROTOCOL_VERSION);
        started.parent_run_id = input.parent_run_id.clone();
        self.send(ROOT, started, fields);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// True if a span was closed since the last query.
    pub(crate) fn has_closed(&mut self) -> bool {
        std::mem::take(&mut self.closed)
    }

    /// Returns the ids from earlier runs that could be given again: fixed ids start again with each run.
    fn reserved_ids(input: &RunAgentInput, ids: &Ids) -> HashSet<String> {
        let mut alike = HashSet::new();
        let mut note = |id: &str| {
            if ids.could_make(id) {
                alike.insert(id.to_owned());
            }
        };
        for message in &*input.messages {
            note(message.id().as_str());
            if let Message::Assistant(assistant) = message {
                assistant.tool_calls().iter().for_each(|call| note(call.id.as_str()));
            }
        }
        for entry in input.resume() {
            if let Some(question) = TypedInterruptId::from_id(&entry.interrupt_id) {
                note(&question.nonce());
            }
        }
        alike
    }

    /// True if foreign chunks may go out unchanged. Tags separate the chunks of several authors; a peer that does not read tags
    /// can get only the own agent's chunks.
    pub(crate) fn may_pass_chunks(&self, by: SpanSlot) -> bool {
        self.peer.reads_tags() || self.tag_of(by).is_none()
    }

    /// Returns the tag for an author's events; `None` also if the author may not write any more.
    pub(crate) fn tag_of(&self, by: SpanSlot) -> Option<SubagentRunId> {
        self.author(by).flatten()
    }

    /// Returns the newest version whose members the peer reads.
    #[cfg(feature = "model")]
    pub(crate) fn peer_version(&self) -> ProtocolVersion {
        self.peer.version()
    }

    /// True if the peer could not be sent some content.
    pub(crate) fn has_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Returns the content that the peer could not be sent since the last query.
    pub(crate) fn take_lost(&mut self) -> LostContent {
        std::mem::take(&mut self.lost)
    }

    /// Returns the number of messages in restated conversations that got other ids since the last query.
    pub(crate) fn take_renamed(&mut self) -> usize {
        std::mem::take(&mut self.renamed)
    }

    /// True if this author's events reach the wire.
    pub(crate) fn accepts(&self, by: SpanSlot) -> bool {
        !self.ended && (by == ROOT || self.spans.contains_key(&by))
    }

    /// Returns the tag for the author's events; `None` if the author may not write any more.
    #[expect(clippy::option_option, reason = "the parent agent writes without a tag")]
    fn author(&self, by: SpanSlot) -> Option<Option<SubagentRunId>> {
        match by {
            _ if self.ended => None,
            ROOT => Some(None),
            slot => self.spans.get(&slot).map(|open| open.tag.clone()),
        }
    }

    fn next_slot(&mut self) -> SpanSlot {
        self.last_slot += 1;
        self.last_slot
    }

    /// Returns the number of sent events.
    pub(crate) fn sent_count(&self) -> u64 {
        self.said
    }
}
