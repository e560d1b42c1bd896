//! Text, reasoning, steps, and message ids.

use super::super::EventFields;
use super::super::called::{is_call_subagent, with_author};
use super::{ClientMessageKind, ROOT, RunKernel, RunSpan, SpanSlot, WriteFields, following};
use crate::protocol::{
    Event, MessageId, ReasoningEndEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, ReasoningStartEvent, StepFinishedEvent, StepStartedEvent, SubagentRunId,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, UserMessage,
};

/// START of a text message.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextStart {
    pub role: Option<TextMessageRole>,
    pub name: Option<String>,
    /// The id from a foreign stream; used if no other message in the run has this id.
    pub id: Option<MessageId>,
}

impl RunKernel {
    pub(crate) fn open_text(&mut self, by: SpanSlot, start: TextStart, fields: WriteFields) -> SpanSlot {
        let id = self.message_id_by(by, start.id.clone());
        self.open_text_as(by, id, start, fields)
    }

    /// Opens a text under an id that its author has already, or has used before.
    pub(crate) fn open_text_as(
        &mut self,
        by: SpanSlot,
        id: MessageId,
        start: TextStart,
        fields: WriteFields,
    ) -> SpanSlot {
        let role = start.role.unwrap_or(TextMessageRole::Assistant);
        let mut event = TextMessageStartEvent::new(id.clone()).with_role(role);
        event.name = start.name;
        self.open(by, RunSpan::Text { id, role }, event.into(), fields)
    }

    pub(crate) fn push_text(&mut self, slot: SpanSlot, delta: String, fields: WriteFields) {
        self.send_within(slot, fields, |span| match span {
            RunSpan::Text { id, .. } => Some(TextMessageContentEvent::new(id.clone(), delta).into()),
            _ => None,
        });
    }

    /// Adds a user message that came while the run works, under the client's id.
    pub(crate) fn join_user_message(&mut self, message: &UserMessage) {
        // The id stays whatever it is: the store knows the message by it.
        self.claim(message.id.as_str());
        let role = Some(TextMessageRole::User);
        let start = TextStart { role, name: message.name.clone(), id: None };
        let fields =
            message.metadata.clone().map(|metadata| Box::new(EventFields::new().with_metadata(metadata)));
        let slot = self.open_text_as(ROOT, message.id.clone(), start, fields);
        self.push_text(slot, message.content.text().into_owned(), None);
        self.close(slot, None);
    }

    pub(crate) fn open_reasoning(
        &mut self,
        by: SpanSlot,
        id: Option<MessageId>,
        fields: WriteFields,
    ) -> SpanSlot {
        let id = self.message_id(id);
        self.open_reasoning_as(by, id, fields)
    }

    /// Opens a reasoning span under an id that its author has already, or has used before.
    pub(crate) fn open_reasoning_as(&mut self, by: SpanSlot, id: MessageId, fields: WriteFields) -> SpanSlot {
        self.open(by, RunSpan::Reasoning { id: id.clone() }, ReasoningStartEvent::new(id).into(), fields)
    }

    /// Opens a reasoning message; inside a reasoning span if `by` is one.
    pub(crate) fn open_reasoning_message(
        &mut self,
        by: SpanSlot,
        id: Option<MessageId>,
        fields: WriteFields,
    ) -> SpanSlot {
        let id = self.message_id_by(by, id);
        self.open_reasoning_message_as(by, id, fields)
    }

    /// Opens a reasoning message under an id that its author has already, or has used before.
    pub(crate) fn open_reasoning_message_as(
        &mut self,
        by: SpanSlot,
        id: MessageId,
        fields: WriteFields,
    ) -> SpanSlot {
        let start = ReasoningMessageStartEvent::new(id.clone());
        self.open(by, RunSpan::ReasoningMessage { id }, start.into(), fields)
    }

    pub(crate) fn push_reasoning(&mut self, slot: SpanSlot, delta: String, fields: WriteFields) {
        self.send_within(slot, fields, |span| match span {
            RunSpan::ReasoningMessage { id } => {
                Some(ReasoningMessageContentEvent::new(id.clone(), delta).into())
            }
            _ => None,
        });
    }

    /// Opens a step under a name that is unique among the author's open steps.
    pub(crate) fn open_step(&mut self, by: SpanSlot, name: String, fields: WriteFields) -> SpanSlot {
        let Some(tag) = self.author(by) else { return self.next_slot() };
        let name = self.free_step_name(self.step_author(tag), name);
        self.open(by, RunSpan::Step { name: name.clone() }, StepStartedEvent::new(name).into(), fields)
    }

    fn free_step_name(&mut self, author: Option<SubagentRunId>, stem: String) -> String {
        let mut key = (author, stem);
        if let Some(&last) = self.steps.get(&key) {
            let stem = key.1.clone();
            let mut number = last;
            let free = loop {
                number += 1;
                key.1 = format!("{stem}#{number}");
                if !self.steps.contains_key(&key) {
                    break key.1.clone();
                }
            };
            self.steps.insert((key.0.clone(), stem), number);
            self.steps.insert(key, 1);
            return free;
        }
        let name = key.1.clone();
        self.steps.insert(key, 1);
        name
    }

    /// Returns a step's author as the peer sees it: a peer that does not read tags attributes all steps to one author.
    fn step_author(&self, tag: Option<SubagentRunId>) -> Option<SubagentRunId> {
        tag.filter(|_| self.peer.reads_tags())
    }

    pub(super) fn close_plain(&mut self, span: RunSpan, tag: Option<SubagentRunId>, fields: WriteFields) {
        let end: Event = match span {
            RunSpan::Text { id, .. } => TextMessageEndEvent::new(id).into(),
            RunSpan::Reasoning { id } => ReasoningEndEvent::new(id).into(),
            RunSpan::ReasoningMessage { id } => ReasoningMessageEndEvent::new(id).into(),
            RunSpan::Step { name } => {
                let key = (self.step_author(tag.clone()), name);
                self.steps.remove(&key);
                StepFinishedEvent::new(key.1).into()
            }
            _ => return,
        };
        self.put(end, tag, fields);
    }

    /// Leaves a message open if RUN_ERROR follows; any other terminal event ends the message.
    pub(crate) fn break_off(&mut self, slot: SpanSlot) {
        if self.spans.get(&slot).is_some_and(|open| matches!(open.span, RunSpan::Text { .. })) {
            self.broken_off.push(slot);
        }
    }

    /// Takes an id for a foreign stream's message.
    pub(crate) fn foreign_message(&mut self, wanted: Option<MessageId>) -> MessageId {
        self.message_id(wanted)
    }

    /// Takes an id for a message that only calls name as parent: the client makes this message at the first call.
    pub(crate) fn parent_of_calls(&mut self, by: SpanSlot, wanted: Option<MessageId>) -> MessageId {
        let id = self.message_id_by(by, wanted);
        if let Some(tag) = self.author(by) {
            self.conversation.learn(id.clone(), ClientMessageKind::Text, tag.as_ref());
        }
        id
    }

    /// Returns a new message's id: the foreign stream's id, if free.
    pub(super) fn message_id(&mut self, wanted: Option<MessageId>) -> MessageId {
        match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_message(),
        }
    }

    pub(super) fn new_message(&mut self) -> MessageId {
        loop {
            let id = self.ids.message();
            if !self.taken.contains(id.as_str()) {
                return id;
            }
        }
    }

    /// Returns the id for a new message by this author. If the client keeps no authors, the id names a subagent that a call made.
    fn message_id_by(&mut self, by: SpanSlot, wanted: Option<MessageId>) -> MessageId {
        let id = self.message_id(wanted);
        match self.nameless_author(by) {
            Some(author) => with_author(&id, &author),
            None => id,
        }
    }

    /// Returns the author, if a call made this author and the client does not see authors.
    pub(super) fn nameless_author(&self, by: SpanSlot) -> Option<SubagentRunId> {
        if self.peer.reads_tags() { None } else { self.tag_of(by).filter(is_call_subagent) }
    }

    /// Takes a foreign id. Returns true if the id was free.
    pub(super) fn claim(&mut self, id: &str) -> bool {
        !self.ids.could_make(id) && self.taken.insert(id.to_owned())
    }

    /// Returns an open text message's id, role and author, for the receipt.
    pub(crate) fn text_of(
        &self,
        slot: SpanSlot,
    ) -> Option<(MessageId, TextMessageRole, Option<SubagentRunId>)> {
        let open = self.spans.get(&slot)?;
        match &open.span {
            RunSpan::Text { id, role } => Some((id.clone(), *role, open.tag.clone())),
            _ => None,
        }
    }

    /// Returns the id of an open span that builds or brackets messages.
    pub(crate) fn message_id_of(&self, slot: SpanSlot) -> Option<&MessageId> {
        match &self.spans.get(&slot)?.span {
            RunSpan::Text { id, .. }
            | RunSpan::Reasoning { id }
            | RunSpan::ReasoningMessage { id }
            | RunSpan::Activity { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Returns an unused id, for a message that is never sent.
    pub(crate) fn unseen_message(&mut self) -> MessageId {
        self.new_message()
    }

    /// Sends a whole text message.
    pub(crate) fn send_text(
        &mut self,
        by: SpanSlot,
        text: String,
        start: TextStart,
        fields: WriteFields,
    ) -> SpanSlot {
        let later = following(&fields);
        let slot = self.open_text(by, start, fields);
        if !text.is_empty() {
            self.push_text(slot, text, later);
        }
        slot
    }
}

/// Parent message of a call, by id and author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParentMessage {
    pub id: MessageId,
    pub tag: Option<SubagentRunId>,
}
