//! The kernel: the one state machine that can put an event on the wire.
//!
//! Rules it keeps, whatever its callers do (the numbers are used by its tests):
//!
//! 1. Every entry point is total and synchronous, so a write can be cancelled only before it happened; a START and the
//!    right to end it are made in one step.
//! 2. It never refuses because the queue is full: content waits before it comes here, ENDs and the terminal event do not wait.
//! 3. It runs no user code: no serde, no closures of users, no wakers, no destructors of theirs.
//! 4. Slots are never reused: a handle left over from an ended span writes nothing.
//! 5. No event follows the terminal event, and none is of an author that has ended.
//! 6. Closing a span first closes what it encloses, newest first.
//! 7. The names of open steps are made unique, because the wire knows steps by name and author.
//! 8. The conversation is restated only while nothing of it is open.
//! 9. Closing depends on the span: text, reasoning and steps END; a backend call is answered with an error; a
//!    frontend call cut off in its arguments is not ended, unless the run is cancelled.
//! 10. The terminal event closes everything before it, names the calls without an answer, and is the last. RUN_ERROR
//!     leaves the messages open that break off there, and calls whose arguments were cut off; to a legacy client
//!     they are closed as well.
//! 11. A legacy client gets the whole state of a run before its first change.
//!
//! It is plain data without locks or wakers ([`Hub`](super::Hub) has those), so that all its states can be visited.

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
use self::conversation::{Conversation, Kind};
use self::state::SharedState;
use super::fields::following;
use super::peer::Lost;
use super::question_id::QuestionId;
use super::span::{ROOT, Slot, Span};
use super::{Clock, Fields, Ids, Peer};
use crate::protocol::{
    Content, Event, EventType, InterruptId, Message, MessageId, PROTOCOL_VERSION, RunAgentInput, RunId,
    RunStartedEvent, SubagentRunId, ThreadId, TokenUsage, ToolCallId,
};

pub(crate) use calls::{CallStart, ForeignAnswer, NotResumed};
pub(crate) use end::Terminal;
pub(crate) use messages::{ParentMessage, TextStart};
pub(crate) use scopes::SubagentEnd;
#[cfg(feature = "server")]
pub(crate) use state::Held;

#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) queue: VecDeque<Event>,
    pub(super) ended: bool,
    /// True if a span was closed since the last query.
    closed: bool,
    /// Boxed, because a map has room for eleven as soon as it has one.
    pub(super) spans: BTreeMap<Slot, Box<Open>>,
    last_slot: Slot,
    /// Open steps by author and name. The number is where the search for the next free name of that stem begins.
    pub(super) steps: HashMap<(Option<SubagentRunId>, String), u64>,
    /// Frontend calls of this run, in the order of their START: `pendingToolCallIds` must name them.
    pub(super) pending: BTreeMap<Slot, Pending>,
    /// Calls that are left to questions: unanswered if the run ends in one of these, abandoned otherwise.
    pub(super) left: BTreeMap<Slot, Left>,
    /// Frontend calls whose arguments were cut off; such a run can only fail or be cancelled.
    pub(super) cut_off: Vec<CutOff>,
    /// Ids that must not be given again: those of foreign streams, and those of earlier runs that this run could make.
    pub(super) taken: HashSet<String>,
    /// Messages that break off: a run that fails does not end them.
    broken_off: Vec<Slot>,
    /// Calls of earlier runs that this run resumed, with their slots.
    pub(super) resumed: HashMap<ToolCallId, Slot>,
    /// The results that this run gave to calls of earlier runs: the conversation of its input lacks them.
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads them"))]
    pub(crate) results: HashMap<ToolCallId, Content>,
    pub(crate) conversation: Conversation,
    /// The number of messages of restated conversations that got other ids since the last query.
    renamed: usize,
    /// A backend tool that was called and that the user interface declares too; such a run can only fail or be
    /// cancelled.
    claimed: Option<Cow<'static, str>>,
    /// By slot; an author without an entry has not asked or delegated yet.
    agent_paths: HashMap<Slot, AgentPath>,
    usage: Vec<TokenUsage>,
    /// The number of events that were sent.
    said: u64,
    pub(super) chunked: Option<Chunked>,
    thread_id: ThreadId,
    run_id: RunId,
    ids: Ids,
    clock: Clock,
    peer: Peer,
    /// True if events go out unchanged, except for their tags and fields.
    is_plain: bool,
    lost: Lost,
    state: SharedState,
}

/// A span with its place: the span that encloses it, and the author of its content.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) span: Span,
    pub(super) parent: Slot,
    pub(super) tag: Option<SubagentRunId>,
    /// The number of open spans that it encloses directly.
    children: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) id: ToolCallId,
    /// True if the call came from a foreign stream, which may answer it.
    pub(super) foreign: bool,
    /// True if the call is of a tool of the user interface.
    frontend: bool,
    carrier: Option<MessageId>,
}

/// The item of the last chunk, and the number of events sent with it.
#[derive(Clone, Debug)]
pub(super) struct Chunked {
    pub(super) kind: EventType,
    pub(super) id: String,
    pub(super) said: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Owed {
    pub(super) id: ToolCallId,
    tag: Option<SubagentRunId>,
}

/// A call that is left to questions.
#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) owed: Owed,
    /// The questions of the call's subagent; `None` if an interrupt asks about the call itself.
    pub(super) of_subagent: Option<Vec<InterruptId>>,
}

#[derive(Clone, Debug)]
pub(super) struct CutOff {
    pub(super) id: ToolCallId,
    tool: Cow<'static, str>,
    tag: Option<SubagentRunId>,
}

impl Kernel {
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
            taken: Self::lookalikes(input, &ids),
            resumed: HashMap::new(),
            results: HashMap::new(),
            conversation: Conversation::of(input),
            renamed: 0,
            claimed: None,
            agent_paths: HashMap::new(),
            usage: Vec::new(),
            said: 0,
            chunked: None,
            thread_id: input.thread_id.clone(),
            run_id: input.run_id.clone(),
            ids,
            is_plain: clock.is_silent() && peer == Peer::Current,
            clock,
            peer,
            lost: Lost::default(),
            state: SharedState::default(),
        }
    }

    pub(crate) fn start(&mut self, input: &RunAgentInput, fields: Fields) {
        let mut started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
            .with_protocol_version(PROTOCOL_VERSION);
        started.parent_run_id = input.parent_run_id.clone();
        self.send(ROOT, started, fields);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Returns true if a span was closed since the last query.
    pub(crate) fn has_closed(&mut self) -> bool {
        std::mem::take(&mut self.closed)
    }

    /// Returns the ids of earlier runs that could be given again: fixed ids start again with each run.
    fn lookalikes(input: &RunAgentInput, ids: &Ids) -> HashSet<String> {
        let mut alike = HashSet::new();
        let mut note = |id: &str| {
            if ids.made(id) {
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
            if let Some(question) = QuestionId::of(&entry.interrupt_id) {
                note(&question.nonce());
            }
        }
        alike
    }

    /// Returns true if foreign chunks can go out as they come. Tags keep the chunks of several authors apart; a peer
    /// that does not read tags can get only the chunks of the run's own agent.
    pub(crate) fn may_pass_chunks(&self, by: Slot) -> bool {
        self.peer.reads_tags() || self.tag_of(by).is_none()
    }

    /// Returns the tag of an author's events; `None` also if the author may not write any more.
    pub(crate) fn tag_of(&self, by: Slot) -> Option<SubagentRunId> {
        self.author(by).flatten()
    }

    /// Returns true if the peer could not be sent something.
    pub(crate) fn has_lost(&self) -> bool {
        self.lost.parts > 0
    }

    /// Returns the content that the peer could not be sent since the last query.
    pub(crate) fn take_lost(&mut self) -> Lost {
        std::mem::take(&mut self.lost)
    }

    /// Returns the number of messages of restated conversations that got other ids since the last query.
    pub(crate) fn take_renamed(&mut self) -> usize {
        std::mem::take(&mut self.renamed)
    }

    /// Returns true if events of this author reach the wire.
    pub(crate) fn accepts(&self, by: Slot) -> bool {
        !self.ended && (by == ROOT || self.spans.contains_key(&by))
    }

    /// Returns the tag of the author's events; `None` if the author may not write any more.
    #[expect(clippy::option_option, reason = "the parent agent writes without a tag")]
    fn author(&self, by: Slot) -> Option<Option<SubagentRunId>> {
        match by {
            _ if self.ended => None,
            ROOT => Some(None),
            slot => self.spans.get(&slot).map(|open| open.tag.clone()),
        }
    }

    fn next_slot(&mut self) -> Slot {
        self.last_slot += 1;
        self.last_slot
    }

    /// Returns the number of events that were sent.
    pub(crate) fn said(&self) -> u64 {
        self.said
    }
}
