//! The kernel: the one state machine that can put an event on the wire.
//!
//! Rules it keeps, whatever its callers do (the numbers are used by its tests):
//!
//! 1. Every entry point is total and synchronous, so a write can be cancelled only before it happened; a START and the
//!    right to end it are made in one step.
//! 2. It never refuses for want of room: content waits before it comes here, ENDs and the terminal event do not wait.
//! 3. It runs no user code: no serde, no closures of users, no wakers, no destructors of theirs.
//! 4. Slots are never reused: a handle left over from an ended span writes nothing.
//! 5. Nothing is said after the terminal event, nor by an author that has ended.
//! 6. Closing a span first closes what it encloses, newest first.
//! 7. The names of open steps are made unique, because the wire knows steps by name and author.
//! 8. The conversation is restated only while nothing of it is open.
//! 9. What closing means depends on the span: text, reasoning and steps END; a backend call is answered with an error; a
//!    frontend call cut off in its arguments is not ended, unless the run is cancelled.
//! 10. The terminal event closes everything before it, names the calls nobody answered, and is the last. RUN_ERROR leaves
//!     the messages open that break off there.
//!
//! It is plain data without locks or wakers ([`Hub`](super::Hub) has those), so that all its states can be visited.

mod activities;
mod askers;
mod calls;
mod conversation;
mod end;
mod messages;
mod restate;
mod scopes;
mod state;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use self::askers::Asker;
use self::conversation::{Conversation, Kind};
use self::state::StateOwner;
use super::fields::following;
use super::peer::Lost;
use super::question_id::QuestionId;
use super::span::{ROOT, Slot, Span};
use super::{Clock, Fields, Ids, Peer};
use crate::manifest::ToolSide;
use crate::protocol::{
    Event, EventType, Message, MessageId, PROTOCOL_VERSION, ReasoningEncryptedValueEvent, RunAgentInput,
    RunId, RunStartedEvent, SubagentRunId, ThreadId, TokenUsage, ToolCallId,
};

pub(crate) use calls::{CallStart, ForeignAnswer, NotResumed};
pub(crate) use end::Terminal;
pub(crate) use messages::{ParentMessage, TextStart};
pub(crate) use scopes::SubagentEnd;

#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(super) queue: VecDeque<Event>,
    pub(super) ended: bool,
    /// Whether a span was closed since somebody asked.
    closed: bool,
    pub(super) spans: BTreeMap<Slot, Open>,
    last_slot: Slot,
    /// Open steps by author and name; the number says where to look for the next free name of that stem.
    pub(super) steps: HashMap<(Option<SubagentRunId>, String), u64>,
    /// Frontend calls of this run, in the order they were started: what `pendingToolCallIds` must name.
    pub(super) pending: BTreeMap<Slot, Pending>,
    /// Calls an interrupt asks about: unanswered if the run ends in that interrupt, abandoned otherwise.
    pub(super) asked: BTreeMap<Slot, Owed>,
    /// Frontend calls whose arguments were cut off; such a run can only fail or be cancelled.
    pub(super) cut_off: Vec<CutOff>,
    /// Ids that are not to be given again: those others chose, and those of earlier runs that look like ours.
    pub(super) taken: HashSet<String>,
    /// Messages that break off: a run that fails does not end them.
    broken_off: Vec<Slot>,
    /// Calls of earlier runs that this one took up, and where their spans are or were.
    pub(super) resumed: HashMap<ToolCallId, Slot>,
    pub(super) conversation: Conversation,
    /// Messages of restated conversations that got other ids, since this was asked last.
    renamed: usize,
    /// A backend tool that was called, and that the user interface declares too; such a run can only fail or be cancelled.
    claimed: Option<Cow<'static, str>>,
    /// By slot; what is nowhere here asks and delegates nothing yet.
    askers: BTreeMap<Slot, Asker>,
    usage: Vec<TokenUsage>,
    /// How many events were said.
    said: u64,
    pub(super) chunked: Option<Chunked>,
    thread_id: ThreadId,
    run_id: RunId,
    ids: Ids,
    clock: Clock,
    peer: Peer,
    /// Whether events go out as they are, but for their tags and fields.
    is_plain: bool,
    lost: Lost,
    state: StateOwner,
}

/// A span with its place: what encloses it and who says what is in it.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) span: Span,
    pub(super) parent: Slot,
    pub(super) tag: Option<SubagentRunId>,
    /// How many open spans it encloses directly.
    children: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) id: ToolCallId,
    /// Whether it came from somebody else's stream, which may answer it.
    pub(super) foreign: bool,
    /// Whether it is of a tool of the user interface.
    frontend: bool,
    carrier: Option<MessageId>,
}

/// What the last chunk was about, and how many events had been said with it.
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
            asked: BTreeMap::new(),
            cut_off: Vec::new(),
            broken_off: Vec::new(),
            taken: Self::lookalikes(input, &ids),
            resumed: HashMap::new(),
            conversation: Conversation::of(input),
            renamed: 0,
            claimed: None,
            askers: BTreeMap::new(),
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
            state: StateOwner::Nobody,
        }
    }

    pub(crate) fn start(&mut self, input: &RunAgentInput) {
        let mut started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
            .with_protocol_version(PROTOCOL_VERSION);
        started.parent_run_id = input.parent_run_id.clone();
        self.send(ROOT, started, None);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether a span was closed since this was asked last.
    pub(crate) fn has_closed(&mut self) -> bool {
        std::mem::take(&mut self.closed)
    }

    /// Ids of earlier runs that could be given again: fixed ids begin anew with each run.
    fn lookalikes(input: &RunAgentInput, ids: &Ids) -> HashSet<String> {
        let calls = input.messages.iter().filter_map(|message| match message {
            Message::Assistant(assistant) => assistant.tool_calls.as_deref(),
            _ => None,
        });
        let calls = calls.flatten().map(|call| call.id.as_str());
        let messages = input.messages.iter().map(|message| message.id().as_str());
        let questions = input.resume().iter().filter_map(|entry| QuestionId::of(&entry.interrupt_id));
        let nonces = questions.map(|question| question.nonce()).filter(|nonce| ids.made(nonce));
        messages.chain(calls).filter(|id| ids.made(id)).map(str::to_owned).chain(nonces).collect()
    }

    /// Whether somebody else's chunks can go out as they come. Those of several authors are kept apart by their tags; a peer that
    /// does not read them can have those of the run's own agent, and no others.
    pub(crate) fn may_pass_chunks(&self, by: Slot) -> bool {
        self.peer.reads_tags() || self.tag_of(by).is_none()
    }

    /// The tag of what an author says; `None` also where it may say nothing any more.
    pub(crate) fn tag_of(&self, by: Slot) -> Option<SubagentRunId> {
        self.author(by).flatten()
    }

    /// Whether there is something the peer could not be told.
    pub(crate) fn has_lost(&self) -> bool {
        self.lost.parts > 0
    }

    /// What the peer could not be told since this was asked last.
    pub(crate) fn take_lost(&mut self) -> Lost {
        std::mem::take(&mut self.lost)
    }

    /// How many messages of restated conversations got other ids since this was asked last.
    pub(crate) fn take_renamed(&mut self) -> usize {
        std::mem::take(&mut self.renamed)
    }

    /// An event that belongs to no span.
    pub(crate) fn send(&mut self, by: Slot, event: impl Into<Event>, fields: Fields) {
        if let Some(tag) = self.author(by) {
            self.put(untagged(event.into()), tag, fields);
        }
    }

    /// An event that says nothing about its author: one that refers to something another author may have said.
    pub(crate) fn send_untagged(&mut self, by: Slot, event: impl Into<Event>, fields: Fields) {
        if self.author(by).is_some() {
            self.put(untagged(event.into()), None, fields);
        }
    }

    /// A value that only the model provider reads, unless it belongs to what the client was never told of. It names no
    /// author: it may belong to what another one said.
    pub(crate) fn encrypt(&mut self, by: Slot, value: ReasoningEncryptedValueEvent, fields: Fields) {
        if self.conversation.has_entity(&value) {
            self.send_untagged(by, value, fields);
        }
    }

    /// Whether anything that is said there reaches the wire.
    pub(super) fn hears(&self, by: Slot) -> bool {
        !self.ended && (by == ROOT || self.spans.contains_key(&by))
    }

    /// Who speaks there: the tag its events carry, `None` when it may say nothing any more.
    #[expect(clippy::option_option, reason = "the parent agent has no tag, and speaks")]
    fn author(&self, by: Slot) -> Option<Option<SubagentRunId>> {
        match by {
            _ if self.ended => None,
            ROOT => Some(None),
            slot => self.spans.get(&slot).map(|open| open.tag.clone()),
        }
    }

    /// Says an event that carries no tag yet. Most of them are said as they are.
    #[inline]
    fn put(&mut self, event: Event, tag: Option<SubagentRunId>, fields: Fields) {
        self.said += 1;
        self.queue.push_back(event);
        if !self.is_plain || tag.is_some() || fields.is_some() {
            self.complete_last(tag, fields);
        }
    }

    // In place at the end of the queue, for an event is large to move about.
    fn complete_last(&mut self, tag: Option<SubagentRunId>, fields: Fields) {
        let Some(event) = self.queue.back_mut() else { return };
        if let Some(place) = event.subagent_run_id_mut() {
            *place = tag;
        }
        if let Some(now) = self.clock.tick() {
            *event.timestamp_mut() = Some(now);
        }
        if let Some(fields) = fields {
            fields.write(event);
        }
        if self.peer == Peer::Legacy {
            self.admit_last();
        }
    }

    /// Gives the last event as the peer can read it.
    fn admit_last(&mut self) {
        if let Some(event) = self.queue.pop_back()
            && let Some(event) = self.peer.admit(event, &mut self.lost)
        {
            self.queue.push_back(event);
        }
    }

    fn next_slot(&mut self) -> Slot {
        self.last_slot += 1;
        self.last_slot
    }

    fn open(&mut self, by: Slot, span: Span, mut start: Event, fields: Fields) -> Slot {
        let slot = self.next_slot();
        if let Some(tag) = self.author(by) {
            self.conversation.learn_span(&span, tag.as_ref());
            self.conversation.fit(&mut start);
            let tag = span.id().map_or_else(|| tag.clone(), |id| self.agreed(id, tag.clone()));
            self.put(start, tag.clone(), fields);
            self.enclose(by, slot, span, tag);
        }
        slot
    }

    /// The tag for something that goes on under its old id: none where the restated conversation says it is somebody
    /// else's, for then the client keeps to that.
    #[inline]
    fn agreed(&self, id: &str, tag: Option<SubagentRunId>) -> Option<SubagentRunId> {
        if self.conversation.is_by(id, &tag) { tag } else { None }
    }

    fn enclose(&mut self, by: Slot, slot: Slot, span: Span, tag: Option<SubagentRunId>) {
        if let Some(parent) = self.spans.get_mut(&by) {
            parent.children += 1;
        }
        self.spans.insert(slot, Open { span, parent: by, tag, children: 0 });
    }

    /// An event inside an open span, if it is one that has such events.
    #[inline]
    fn within(&mut self, slot: Slot, fields: Fields, event: impl FnOnce(&Span) -> Option<Event>) {
        if let Some(open) = self.spans.get(&slot)
            && let Some(event) = event(&open.span)
        {
            let tag = open.span.id().map_or_else(|| open.tag.clone(), |id| self.agreed(id, open.tag.clone()));
            self.put(event, tag, fields);
        }
    }

    /// What a client would miss if this closed too early, if it is something of that kind.
    pub(crate) fn cut_short(&self, slot: Slot) -> Option<&'static str> {
        match self.spans.get(&slot)?.span {
            Span::Text { .. } => Some("text message"),
            Span::Arguments { .. } | Span::Unanswered { .. } => Some("tool call"),
            _ => None,
        }
    }

    /// Takes a span out, what it encloses closed before it.
    fn take(&mut self, slot: Slot) -> Option<Open> {
        if self.spans.get(&slot)?.children > 0 {
            self.close_all_in(slot);
        }
        let open = self.spans.remove(&slot)?;
        if matches!(open.span, Span::Subagent { .. }) {
            self.askers.remove(&slot);
        }
        self.closed = true;
        if let Some(parent) = self.spans.get_mut(&open.parent) {
            parent.children -= 1;
        }
        Some(open)
    }

    fn close_all_in(&mut self, outer: Slot) {
        let inner: Vec<Slot> = self
            .spans
            .range(outer + 1..)
            .rev()
            .filter(|(_, open)| open.parent == outer)
            .map(|(&slot, _)| slot)
            .collect();
        for slot in inner {
            self.close(slot, None);
        }
    }

    /// Ends a span the way its kind wants it: what a guard's `Drop` means. The fields go to its last event.
    pub(crate) fn close(&mut self, slot: Slot, fields: Fields) {
        let Some(Open { span, tag, .. }) = self.take(slot) else { return };
        match span {
            Span::Text { .. }
            | Span::Reasoning { .. }
            | Span::ReasoningMessage { .. }
            | Span::Step { .. } => {
                self.close_plain(span, tag, fields);
            }
            Span::Arguments { .. } | Span::Unanswered { .. } => self.abandon(span, tag, fields),
            Span::Subagent { id } => self.lose_subagent(id, fields),
            Span::Activity { .. } | Span::Scope => {}
        }
    }
}

/// Somebody else's event without what it says of its author, for that is decided here.
fn untagged(mut event: Event) -> Event {
    if let Some(place) = event.subagent_run_id_mut() {
        *place = None;
    }
    event
}
